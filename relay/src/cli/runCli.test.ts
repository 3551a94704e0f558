import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { freePort } from '../../../shared/src/node/testing/freePort.ts';
import { createIdentity, type Identity } from '../../../shared/src/relay/identity.ts';
import { RELAY_RELEASE } from '../version.ts';
import { runCli } from './runCli.ts';

const ENTRY = fileURLToPath(new URL('../main.ts', import.meta.url));
const LISTEN = '127.0.0.1:4433';
const A = `-${'a'.repeat(42)}`;
const PERMISSIONS = 0o777;

let directory: string;
let child: ChildProcess | undefined;
beforeEach(() => void (directory = join(temporaryDirectory(), 'relay')));
afterEach(() => child?.kill('SIGKILL'));

interface Said {
  readonly status: number;
  readonly out: string;
  readonly error: string;
}

async function run(...args: readonly string[]): Promise<Said> {
  const [out, error]: [string[], string[]] = [[], []];
  const status = await runCli(args, { print: (text) => out.push(text), printError: (text) => error.push(text), log: () => undefined, ended: AbortSignal.abort(), isPublic: () => false, authorities: null, coder: ['/bin/true'] });
  return { status, out: out.join('\n'), error: error.join('\n') };
}

const init = (listen = LISTEN): Promise<Said> => run('init', '--directory', directory, '--listen', listen);

describe('init', () => {
  it('makes what the user alone may read, and says the fingerprint', async () => {
    const { status, out } = await init();
    expect([status, out]).toEqual([0, expect.stringMatching(/^[\w-]{43}$/)]);
    expect(out).toBe((await run('fingerprint', '--directory', directory)).out);
    expect(statSync(directory).mode & PERMISSIONS).toBe(0o700);
    expect(readdirSync(directory).sort()).toEqual(['certificate.pem', 'key.pem', 'relay.json']);
    for (const name of readdirSync(directory)) expect(statSync(join(directory, name)).mode & PERMISSIONS).toBe(0o600);
    expect(JSON.parse(readFileSync(join(directory, 'relay.json'), 'utf8'))).toEqual({ version: 1, listen: LISTEN, clients: [] });
  });

  it('writes over nothing', async () => {
    const { out } = await init();
    expect(await init()).toMatchObject({ status: 1, error: expect.stringContaining('E_RELAY_SETTINGS') as string });
    expect((await run('fingerprint', '--directory', directory)).out).toBe(out);
  });

  it('shuts others out of a directory that is empty, and of none that has something in it', async () => {
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    writeFileSync(join(directory, 'theirs'), '');
    expect(await init()).toMatchObject({ status: 1, error: expect.stringContaining('E_RELAY_SETTINGS') as string });
    expect([readdirSync(directory), statSync(directory).mode & PERMISSIONS]).toEqual([['theirs'], 0o755]);
    rmSync(join(directory, 'theirs'));
    expect((await init()).status).toBe(0);
    expect(statSync(directory).mode & PERMISSIONS).toBe(0o700);
  });
});

it('allow and revoke change whom it lets in, and status says so', async () => {
  await init();
  expect(await run('allow', '--directory', directory, 'laptop', A)).toMatchObject({ status: 0 });
  expect((await run('status', '--directory', directory)).out).toMatch(new RegExp(`^listens on ${LISTEN}\nfingerprint .{43}\nlets in\n  laptop ${A}$`));
  expect(await run('revoke', '--directory', directory, 'laptop')).toMatchObject({ status: 0 });
  expect((await run('status', '--directory', directory)).out).toMatch(/lets nobody in$/);
  expect(await run('revoke', '--directory', directory, 'laptop')).toMatchObject({ status: 1, error: expect.stringContaining('E_RELAY_CLIENT') as string });
});

it('says what it can, and its version', async () => {
  const { status, out } = await run('--help');
  expect(status).toBe(0);
  for (const command of ['init', 'allow', 'revoke', 'serve', 'status', 'fingerprint']) expect(out).toMatch(new RegExp(`^ {2}${command}`, 'm'));
  expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  expect(await run()).toEqual({ status: 0, out, error: '' });
  expect((await run('--version')).out).toBe(RELAY_RELEASE);
});

it.each([
  [['dance', '--directory', 'd']],
  [['serve']],
  [['serve', '--directory', '']],
  [['serve', '--directory', 'd', 'more']],
  [['init', '--directory', 'd']],
  [['serve', '--directory', 'd', '--listen', LISTEN]],
  [['allow', '--directory', 'd', 'name']],
  [['allow', '--directory', 'd', A]],
  [['status', '--directory', 'd', '--unknown']],
  [['init', '--directory', 'd', '--listen', 'nowhere']],
])('%j is written wrongly', async (args) => {
  expect(await run(...args)).toMatchObject({ status: 2, out: '', error: expect.stringContaining('E_OPTION') as string });
});

describe('serve', () => {
  it.each<[string, () => void]>([
    ['there is nothing', () => rmSync(directory, { recursive: true })],
    ['relay.json is broken', () => writeFileSync(join(directory, 'relay.json'), '{')],
    ['others may read the key', () => chmodSync(join(directory, 'key.pem'), 0o644)],
    ['the key is none', () => writeFileSync(join(directory, 'key.pem'), 'x')],
    ['the certificate is of another key', () => writeFileSync(join(directory, 'certificate.pem'), 'x')],
  ])('refuses when %s', async (_, spoil) => {
    await init();
    spoil();
    expect(await run('serve', '--directory', directory)).toMatchObject({ status: 1, out: '', error: expect.stringContaining('E_RELAY_SETTINGS') as string });
  });

  it('refuses where another program listens, and ends', async () => {
    const other = await listenLocally(createServer());
    await init(`127.0.0.1:${portOf(other)}`);
    expect(spawnSync(process.execPath, [ENTRY, 'serve', '--directory', directory], { timeout: 20_000, encoding: 'utf8' })).toMatchObject({ status: 1, stderr: expect.stringContaining('E_RELAY_LISTEN') as string });
    other.close();
  });
});

/** Whether the relay says anything to a client. */
async function isLetIn(port: number, { keyPem, certificatePem }: Identity): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, key: keyPem, cert: certificatePem, rejectUnauthorized: false, ALPNProtocols: ['h2'] }).on('error', () => undefined);
  const come = new Promise<boolean>((resolve) => socket.once('data', () => resolve(true)).once('close', () => resolve(false)));
  return come.finally(() => socket.destroy());
}

it('a running relay takes over who is let in, and ends with SIGTERM; where what opens a store is not beside its program, it goes on without', async () => {
  const port = await freePort();
  await init(`127.0.0.1:${port}`);
  const file = join(directory, 'relay.json');
  const store = { redis: 'redis://127.0.0.1:1', s3: { endpoint: 'http://127.0.0.1:1', region: 'us-east-1', bucket: 'pictures', accessKeyId: 'a', secretAccessKey: 'b' } };
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), store }));
  child = spawn(process.execPath, [ENTRY, 'serve', '--directory', directory], { stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stderr!.on('data', (chunk) => (log += String(chunk)));
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  expect(String(line)).toBe(`firstscreen-relay listens on 127.0.0.1:${port}\n`);

  expect(log).toContain('E_RELAY_STORE');
  const identity = await createIdentity('laptop', new Date());
  expect(await isLetIn(port, identity)).toBe(false);
  await run('allow', '--directory', directory, 'laptop', identity.fingerprint);
  await expect.poll(() => isLetIn(port, identity)).toBe(true);
  writeFileSync(file, 'broken');
  await expect.poll(() => log).toContain('clients not taken over');
  expect(await isLetIn(port, identity)).toBe(true);

  child.kill('SIGTERM');
  const [status] = (await once(child, 'close')) as [number | null];
  expect(status, log).toBe(0);
  for (const each of log.trim().split('\n')) expect(JSON.parse(each)).toMatchObject({ level: expect.any(String) as string, scope: expect.any(String) as string });
});
