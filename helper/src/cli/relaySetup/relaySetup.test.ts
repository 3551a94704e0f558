import { chmodSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRelayConfig, relayConfigPath } from '../../relay/relayConfig.ts';
import { freePort } from '../../../../shared/src/node/testing/freePort.ts';
import { temporaryMachine, type TemporaryMachine } from '../../testing/temporaryMachine.ts';
import { TestFarMachine, hasPerl, type FarNature } from '../../testing/testFarMachine.ts';
import { relayClientName } from '../relay.ts';
import { runCli } from '../runCli.ts';

const NAME = relayClientName(hostname());
/** A process of Node has begun by then, on a busy machine too. */
const STARTED_MS = 10_000;
const TARGET = 'ssh://me@far.test:2222';
const isRoot = process.getuid?.() === 0;
const text = (wanted: string) => expect.stringContaining(wanted) as string;

let machine: TemporaryMachine;
let far: TestFarMachine;
let port: number;
/** Where somebody could type. */
let terminal: Readable | null;
beforeEach(async () => {
  [machine, port, terminal] = [temporaryMachine('linux'), await freePort(), null];
});
afterEach(() => far.remove());

const have = (nature: Partial<FarNature> = {}): TestFarMachine => (far = new TestFarMachine(nature));

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function run(...args: readonly string[]): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const status = await runCli(args, { platform: 'linux', home: machine.home, env: { PATH: far.localPath }, program: machine.executable, terminal, print: (line) => out.push(line), printError: (line) => err.push(line) });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

const setup = (...more: readonly string[]): Promise<Ran> => run('relay', 'setup', TARGET, '--address', `127.0.0.1:${port}`, '--program', far.program, ...more);

describe.skipIf(!hasPerl())('relay setup (needs perl)', () => {
  it('sets a relay up for one user, uses it, and takes all of it back', async () => {
    have();
    const [hereBefore, thereBefore] = [machine.snapshot(), far.snapshot()];
    const { status, out, err } = await setup();
    expect([err, status]).toEqual(['', 0]);
    for (const step of ['what it is', 'send the program', 'make the key', 'let this helper in', 'install and start', 'see whether the relay answers', `127.0.0.1:${port} answers`]) expect(out).toContain(step);
    expect(far.isRunning).toBe(true);
    expect(far.snapshot().filter((path) => path.includes('.firstscreen-relay-'))).toEqual([]);
    expect(far.snapshot()).toEqual(expect.arrayContaining(['.local/lib/firstscreen-relay/node_modules/sharp/package.json 644', '.local/lib/firstscreen-relay/state/key.pem 600', '.local/lib/firstscreen-relay/state 700', '.config/systemd/user/firstscreen-relay.socket 644']));
    expect(readRelayConfig(machine)).toMatchObject({ host: '127.0.0.1', port });
    expect(await run('relay', 'status')).toMatchObject({ status: 0, out: text('answers in') });

    expect(await run('relay', 'remove', '--far', TARGET)).toMatchObject({ status: 0, err: '', out: text('There: the relay is gone. Removed.') });
    expect([far.isRunning, far.snapshot()]).toEqual([false, thereBefore]);
    expect(Object.keys(machine.snapshot()).filter((path) => path.endsWith('relay.json'))).toEqual([]);
    expect(Object.keys(hereBefore).every((path) => path in machine.snapshot())).toBe(true);
  });

  it('sends an executable with the libraries that lie beside it', async () => {
    have();
    const { status, out } = await setup('--program', far.executable);
    expect([status, out]).toEqual([0, text('send the libraries beside it')]);
    expect(out).not.toContain('pictures stay');
    expect(far.snapshot()).toContain('.local/lib/firstscreen-relay/node_modules/sharp/package.json 644');
  });

  it('sends an executable alone, and says what it does not do then', async () => {
    have();
    rmSync(join(far.executable, '../node_modules/detect-libc'), { recursive: true });
    expect(await setup('--program', far.executable)).toMatchObject({ status: 0, out: expect.stringMatching(/pictures stay as they are.*--program firstscreen-relay-0\.1\.0-linux-x64\.tar\.gz/) as string });
    expect(far.snapshot().filter((path) => path.includes('node_modules'))).toEqual([]);
  });

  it('sends nothing that is cut off on the way', async () => {
    have();
    const [here, there] = [machine.snapshot(), far.snapshot()];
    truncateSync(far.program, statSync(far.program).size - 8);
    expect(await setup()).toMatchObject({ status: 1, err: text('E_RELAY_SETUP') });
    expect([machine.snapshot(), far.snapshot()]).toEqual([here, there]);
  });

  it('lets the relay start with a socket whose connections hold little unsent', async () => {
    have();
    await setup();
    const note = join(far.home, '.local/lib/firstscreen-relay/state/serving.json');
    expect(JSON.parse(readFileSync(note, 'utf8'))).toMatchObject({ port, lowatBytes: 16_384 });
  });

  it('tells a relay that is there of another helper, which leaves it to the first', async () => {
    have();
    await setup();
    const first = machine;
    const running = far.snapshot();
    machine = temporaryMachine('linux');
    try {
      // the same name with another key is not let in
      expect(await setup()).toMatchObject({ status: 1, err: text('E_RELAY_SETUP') });
      expect(far.snapshot()).toEqual(running);
      expect(readRelayConfig(machine)).toBeNull();
    } finally {
      machine = first;
    }
    const before = readFileSync(relayConfigPath(machine), 'utf8');
    expect(await setup()).toMatchObject({ status: 0, out: text('read the fingerprint of the relay that is there') });
    expect(readFileSync(relayConfigPath(machine), 'utf8')).toBe(before);
    expect(far.snapshot()).toEqual(running);
  });

  describe('where an older relay is', () => {
    const program = (): string => join(far.home, '.local/lib/firstscreen-relay/firstscreen-relay');

    /** As an earlier release would have been, without libraries. */
    function makeOlder(): string {
      const older = `#!/bin/sh\n[ "$1" != --version ] || { echo 0.0.9; exit; }\n${readFileSync(program(), 'utf8').split('\n').slice(1).join('\n')}`;
      writeFileSync(program(), older);
      rmSync(join(program(), '../node_modules'), { recursive: true });
      return older;
    }

    it('brings it to this release', async () => {
      have();
      await setup();
      const newest = readFileSync(program(), 'utf8');
      const running = far.snapshot();
      makeOlder();
      expect(await setup()).toMatchObject({ err: '', status: 0, out: text('from 0.0.9 to 0.1.0') });
      expect([readFileSync(program(), 'utf8'), far.isRunning]).toEqual([newest, true]);
      await expect.poll(() => far.snapshot(), { timeout: STARTED_MS }).toEqual(running);
    });

    it.each([[6, 'after'], [9, 'before']] as const)('leaves that where command %i fails %s it is done', async (at, when) => {
      have();
      await setup();
      const older = makeOlder();
      const running = far.snapshot();
      far.failAt(at, when);
      expect(await setup()).toMatchObject({ status: 1, err: text('E_RELAY_SETUP') });
      expect([readFileSync(program(), 'utf8'), far.isRunning]).toEqual([older, true]);
      // the relay was just started, and says so soon
      await expect.poll(() => far.snapshot(), { timeout: STARTED_MS }).toEqual(running);
      expect(await run('relay', 'status')).toMatchObject({ status: 0 });
    });
  });

  it('goes on for others when one leaves', async () => {
    have();
    await setup();
    const settings = join(far.home, '.local/lib/firstscreen-relay/state/relay.json');
    const { clients, ...others } = JSON.parse(readFileSync(settings, 'utf8')) as { clients: { name: string }[] };
    writeFileSync(settings, JSON.stringify({ ...others, clients: [...clients, { name: 'another', fingerprint: 'b'.repeat(43) }] }));
    expect(await run('relay', 'remove', '--far', TARGET)).toMatchObject({ status: 0, out: text('goes on for others') });
    expect(far.isRunning).toBe(true);
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({ clients: [{ name: 'another' }] });
  });

  it('stays where its list can not be read: others may be on it', async () => {
    have();
    await setup();
    const there = far.snapshot();
    writeFileSync(join(far.home, '.local/lib/firstscreen-relay/state/relay.json'), '{');
    expect(await run('relay', 'remove', '--far', TARGET)).toMatchObject({ status: 1, err: expect.stringMatching(/relay\.json can not be used.*E_RELAY_SETUP/s) as string });
    expect([far.isRunning, far.snapshot()]).toEqual([true, there]);
  });

  it('lets a user who is away go on being served, and takes that back as well', async () => {
    have({ lingers: false });
    await setup();
    expect(far.isLingering).toBe(true);
    await run('relay', 'remove', '--far', TARGET);
    expect(far.isLingering).toBe(false);
  });

  it('--dry-run says every command with its script, and does nothing', async () => {
    have();
    const [here, there] = [machine.snapshot(), far.snapshot()];
    const { status, out } = await setup('--dry-run');
    expect([status, machine.snapshot(), far.snapshot(), far.commands.length]).toEqual([0, here, there, 1]);
    for (const part of ["ssh -l me -p 2222 -- far.test 'sh -s -- '", 'gzip -dc', 'tar -xozf', `allow --directory`, `${NAME}'\\'' '\\''FINGERPRINT`, 'TCPCongestion', 'enable --now']) {
      if (part !== 'TCPCongestion') expect(out).toContain(part);
    }
    expect(JSON.parse((await setup('--dry-run', '--json')).out)).toMatchObject({ relay: `127.0.0.1:${port}`, scope: 'user', dryRun: true });
  });
});

describe.skipIf(!hasPerl())('relay setup that can not go on (needs perl)', () => {
  /** Commands of a whole set-up on such a machine. */
  const COMMANDS = 11;
  const INSTALL = 10;

  const everyCommand = Array.from({ length: COMMANDS }, (_none, at) => [at + 1, 'after'] as const);

  it.each([...everyCommand, [1, 'before'], [INSTALL, 'before'], [COMMANDS, 'before']] as const)('at command %i, %s it is done, leaves nothing on either side', async (at, when) => {
    have({ lingers: false });
    const [here, there] = [machine.snapshot(), far.snapshot()];
    far.failAt(at, when);
    const { status, err } = await setup();
    expect([status, err]).toEqual([1, expect.stringMatching(/\(E_RELAY_SETUP\)$/)]);
    expect([machine.snapshot(), far.isRunning, far.isLingering]).toEqual([here, false, false]);
    expect(far.snapshot()).toEqual(there);
  });

  it('has so many commands', async () => {
    have();
    await setup();
    expect(far.commands.length).toBe(COMMANDS);
  });

  it('because nobody can reach its port, leaves nothing, and says what to open', async () => {
    have();
    const [here, there] = [machine.snapshot(), far.snapshot()];
    const { status, err } = await run('relay', 'setup', TARGET, '--address', `localhost.invalid:${port}`, '--program', far.program);
    expect([status, err]).toEqual([1, text('E_RELAY_UNAVAILABLE')]);
    expect([machine.snapshot(), far.snapshot(), far.isRunning]).toEqual([here, there, false]);
  });

  it('keeps the relay that was used before', async () => {
    have();
    await run('relay', 'add', 'other.test:4433', 'A'.repeat(43));
    const before = readFileSync(relayConfigPath(machine), 'utf8');
    far.failAt(COMMANDS, 'before');
    expect((await setup()).status).toBe(1);
    expect(readFileSync(relayConfigPath(machine), 'utf8')).toBe(before);
    expect(statSync(relayConfigPath(machine)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, Partial<FarNature>, readonly string[], string, string]>([
    ['without systemd', { hasSystemd: false }, [], 'E_RELAY_MACHINE', 'In a container'],
    ['for which there is no relay', { machine: 'armv7l' }, [], 'E_RELAY_MACHINE', '64-bit ARM'],
    ['for which this is not the program', { machine: 'aarch64' }, [], 'E_RELAY_PROGRAM', 'linux-arm64'],
    ['where it is another release', { version: '0.0.9' }, [], 'E_RELAY_PROGRAM', '0.0.9'],
    ['whose sudo asks, without a terminal', { sudo: 'asks' }, ['--system'], 'E_NOT_ROOT', 'terminal'],
    ['without sudo', {}, ['--system'], 'E_NOT_ROOT', 'no sudo'],
  ])('on a machine %s, says what to do and leaves nothing', async (_case, nature, options, code, words) => {
    have(nature);
    const [here, there] = [machine.snapshot(), far.snapshot()];
    const { status, err } = await setup(...options);
    expect([status, err, err]).toEqual([1, text(`(${code})`), text(words)]);
    expect([machine.snapshot(), far.snapshot()]).toEqual([here, there]);
  });

  it('for want of a program, names it', async () => {
    have();
    expect(await run('relay', 'setup', TARGET)).toMatchObject({ status: 1, err: text('firstscreen-relay-0.1.0-linux-x64') });
    expect(await run('relay', 'setup', TARGET, '--program', join(far.home, 'none'))).toMatchObject({ status: 1, err: text('E_RELAY_PROGRAM') });
  });

  it('for want of a port below 1024, says so before it does anything', async () => {
    have();
    expect(await run('relay', 'setup', TARGET, '--address', '127.0.0.1:443', '--program', far.program)).toMatchObject({ status: 2, err: text('--system') });
  });

  it('without a connection, says what ssh says', async () => {
    have();
    far.loseConnection();
    expect(await setup()).toMatchObject({ status: 1, err: expect.stringMatching(/ssh:\/\/me@far\.test:2222: ssh: connect to host: Connection refused.*\(E_SSH\)/) as string, out: text('Connection refused') });
  });

  it('without ssh, says how to have it', async () => {
    have();
    chmodSync(join(far.localPath.split(':')[0] ?? '', 'ssh'), 0o644);
    expect(await setup()).toMatchObject({ status: 1, err: text('E_SSH') });
  });

  it.each([['ssh://-oProxyCommand=id'], ['ssh://far;id'], ['far.test']])('never calls ssh with %s', async (target) => {
    have();
    expect(await run('relay', 'setup', target)).toMatchObject({ status: 2 });
    expect(far.commands).toEqual([]);
  });

  it.each([['status', '--far', TARGET], ['add', 'a.test:1', 'A'.repeat(43), '--system'], ['remove', '--system'], ['remove', '--address', 'a.test:1'], ['setup', TARGET, '--far', TARGET], ['setup', TARGET, '--address', 'nowhere']])('takes no option of another action: %s', async (...words) => {
    have();
    expect(await run('relay', ...words)).toMatchObject({ status: 2, err: text('E_OPTION') });
  });
});

describe.skipIf(!isRoot || !hasPerl())('relay setup for a whole machine (needs root and perl)', () => {
  it.each<[string, Partial<FarNature>, readonly string[]]>([
    ['by a sudo that asks', { sudo: 'asks' }, ['--system']],
    ['as root', { uid: 0 }, []],
    ['by sudo', { sudo: 'free' }, ['--system']],
  ])('%s, and takes it back', async (_case, nature, options) => {
    have({ ...nature, hasRoot: true });
    terminal = Readable.from([]);
    const there = far.snapshot();
    expect(await setup(...options)).toMatchObject({ err: '', status: 0 });
    expect(far.snapshot()).toEqual(expect.arrayContaining(['usr/local/lib/firstscreen-relay/launch 755', 'etc/systemd/system/firstscreen-relay.service 644', 'var/lib/firstscreen-relay/key.pem 600']));
    expect(await run('relay', 'remove', '--far', TARGET, ...options)).toMatchObject({ status: 0, err: '', out: text('the relay is gone') });
    expect([far.isRunning, far.snapshot()]).toEqual([false, there]);
    expect(existsSync(relayConfigPath(machine))).toBe(false);
  });

  it('leaves nothing where it fails to start', async () => {
    have({ uid: 0, hasRoot: true });
    const there = far.snapshot();
    const { createServer } = await import('node:net');
    const taken = createServer().listen(port);
    try {
      expect(await setup()).toMatchObject({ status: 1, err: expect.stringMatching(/Failed to listen.*E_RELAY_SETUP/s) as string });
    } finally {
      taken.close();
    }
    expect(far.snapshot()).toEqual(there);
  });
});
