import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { runCli } from '../cli/runCli.ts';
import { CODER_WORD } from '../encoding/coderProcess.ts';
import { RelayDirectory } from '../settings/relayDirectory.ts';
import { canEncode } from './coderProbe.ts';
import { gatherFacts } from './facts.ts';

const ENTRY = fileURLToPath(new URL('../main.ts', import.meta.url));
const CODER = [process.execPath, ENTRY, CODER_WORD];

let base: string;
let directory: string;
let listener: Server;
let port: number;
let child: ChildProcess | undefined;
beforeEach(async () => {
  base = temporaryDirectory();
  directory = join(base, 'relay');
  listener = await listenLocally(createServer());
  port = portOf(listener);
  await run('init', '--listen', `127.0.0.1:${port}`);
});
afterEach(() => {
  child?.kill('SIGKILL');
  listener.close();
});

async function run(...words: readonly string[]): Promise<{ status: number; out: string; error: string }> {
  const [out, error]: [string[], string[]] = [[], []];
  const status = await runCli([...words, '--directory', directory], { print: (text) => out.push(text), printError: (text) => error.push(text), log: () => undefined, ended: AbortSignal.abort(), isPublic: () => false, authorities: null, coder: CODER });
  return { status, out: out.join('\n'), error: error.join('\n') };
}

/** A relay that is given the listening socket, as systemd does it. */
async function serveGiven(env: NodeJS.ProcessEnv = {}): Promise<void> {
  const { fd } = (listener as unknown as { _handle: { fd: number } })._handle;
  child = spawn('sh', ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', process.execPath, ENTRY, 'serve', '--directory', directory], { env: { ...process.env, LISTEN_FDS: '1', ...env }, stdio: ['ignore', 'pipe', 'inherit', fd] });
  // or connections would come to this process as well
  listener.close();
  const [said] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  expect(said.toString()).toContain(`listens on port ${port}, which it was given`);
}

describe('doctor', () => {
  it('finds a relay on the socket that it was given, and what it says of its connections', async () => {
    await serveGiven({ FIRSTSCREEN_NOTSENT_LOWAT: '16384', FIRSTSCREEN_CONGESTION: 'bbr' });
    const { out } = await run('doctor');
    for (const line of [`pass  process: release 0.1.0, process ${child?.pid}`, `pass  port: the relay answers on ${port}`, 'pass  congestion control: bbr', 'pass  unsent bytes: 16384', 'pass  pictures: can be coded anew']) expect(out).toContain(line);
    expect(out).not.toContain('fail');
    child?.kill('SIGTERM');
    await once(child as ChildProcess, 'close');
    expect((await run('doctor')).out).toContain('fail  process: the relay does not run');
  });

  it('finds that nobody listens', async () => {
    listener.close();
    expect(await run('doctor')).toMatchObject({ status: 1, out: expect.stringContaining(`fail  port: nobody listens on ${port}`) as string });
  });

  it('finds another program at the port', async () => {
    listener.on('connection', (socket) => socket.end('220 mail\r\n'));
    expect((await run('doctor')).out).toContain('fail  port: another program');
  });

  it('finds a relay of another directory at the port', async () => {
    await serveGiven();
    rmSync(directory, { recursive: true });
    await run('init', '--listen', `127.0.0.1:${port}`);
    expect((await gatherFacts(new RelayDirectory(directory), CODER, new Date())).answer).toBe('other');
  });

  it.each([
    ['a key that others may read', () => chmodSync(join(directory, 'key.pem'), 0o644), 'Other users may read key.pem'],
    ['settings that are none', () => writeFileSync(join(directory, 'relay.json'), '{'), 'relay.json can not be used'],
  ])('says what is wrong with %s', async (_case, breakIt, message) => {
    breakIt();
    expect(await run('doctor')).toMatchObject({ status: 1, error: expect.stringContaining(message) as string });
  });
});

describe('whether pictures can be coded', () => {
  it.each([
    ['a program that is not there', ['/nonexistent/program']],
    ['one that ends at once', ['/bin/true']],
    ['one that says no', [process.execPath, '-e', 'process.send({ ready: false })']],
    ['one that says something else', [process.execPath, '-e', 'process.send("ready"); setInterval(() => {}, 1000)']],
  ])('is not said by %s', async (_case, command) => {
    expect(await canEncode(command)).toBe(false);
  });
});
