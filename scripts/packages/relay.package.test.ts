import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { shellWord } from '../../helper/src/cli/shellWord.ts';
import { HELPER_VERSION } from '../../helper/src/version.ts';
import { CONGESTION_CONTROL, TCP_NOTSENT_LOWAT_BYTES } from '../../shared/src/relay/listening.ts';
import { BootedDebian } from './bootedDebian.ts';
import { CleanDebian } from './cleanDebian.ts';
import { SERVER } from './debians.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const DEB = `firstscreen-relay_${HELPER_VERSION}_amd64.deb`;
const ARCHIVE = `firstscreen-relay-${HELPER_VERSION}-linux-x64.tar.gz`;
const DIRECTORY = '/var/lib/firstscreen-relay';
/** A coder of the relay's own program has encoded one. */
const PICTURES = 'pass  pictures: can be coded anew';
const isRoot = process.getuid?.() === 0;
const DROP_IN = '/run/systemd/system/firstscreen-relay.service.d';

const [out] = inject('packages');
let directory: string;
/** What takes long goes on beside the rest. */
let made: Promise<CleanDebian>;
let lintian: Promise<string>;

beforeAll(() => {
  if (isRoot) made = CleanDebian.make('bookworm', SERVER);
  directory = mkdtempSync(join(tmpdir(), 'firstscreen-relay-package-'));
  lintian = run('lintian', ['--allow-root', join(out, DEB)]).then(({ stdout, stderr }) => `${stdout}${stderr}`);
  // their tests look at them
  for (const begun of [made, lintian] as readonly (Promise<unknown> | undefined)[]) begun?.catch(() => undefined);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('the archive of the relay', () => {
  const unpacked = (): string => join(directory, 'unpacked');
  const relay = (...args: string[]) => spawnSync(join(unpacked(), 'firstscreen-relay'), args, { env: { PATH: '/usr/bin:/bin', NODE_OPTIONS: '--no-such-option' }, encoding: 'utf8' });

  beforeAll(async () => {
    mkdirSync(unpacked());
    await run('tar', ['-xzf', join(out, ARCHIVE), '-C', unpacked()]);
  });

  it('has the program, with libraries that are loaded from beside it, and their notices', () => {
    expect(readdirSync(unpacked()).sort()).toEqual(['firstscreen-relay', 'node_modules', 'third-party-notices.txt']);
    expect(readdirSync(join(unpacked(), 'node_modules/@img')).sort()).toEqual(['colour', 'sharp-libvips-linux-x64', 'sharp-linux-x64']);
    const notices = readFileSync(join(unpacked(), 'third-party-notices.txt'), 'utf8');
    for (const part of ['Node.js', 'sharp 0.', '@img/sharp-linux-x64 0.', '@img/sharp-libvips-linux-x64 1.', 'libheif       | LGPLv3', 'GNU LESSER GENERAL PUBLIC LICENSE', 'lovell/sharp-libvips']) expect(notices).toContain(part);
  });

  it('says its version, makes its files, and says what is wrong with a relay that does not run', () => {
    expect(relay('--version')).toMatchObject({ status: 0, stdout: `${HELPER_VERSION}\n`, stderr: '' });
    const files = join(directory, 'relay');
    expect(relay('init', '--listen', '127.0.0.1:4433', '--directory', files)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) as string });
    const doctor = relay('doctor', '--directory', files);
    expect(doctor).toMatchObject({ status: 1, stdout: expect.stringContaining('fail  process: the relay does not run') as string });
    expect(doctor.stdout).toContain(PICTURES);
  });
});

it('its Debian package gives lintian nothing to say', async () => {
  // to root it says that it should not be
  expect((await lintian).split('\n').filter((line) => line.includes('firstscreen'))).toEqual([]);
});

if (!isRoot) {
  it('on a server', (context) => {
    context.skip('needs root, for a system of its own in a folder');
  });
}

describe.skipIf(!isRoot)('on a server that systemd has booted', () => {
  let debian: CleanDebian;
  let server: BootedDebian;
  let home: string;
  beforeAll(async () => {
    debian = await made;
    home = join(directory, 'home');
    mkdirSync(join(home, 'bin'), { recursive: true });
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, 'key')]);
    prepareAccounts();
    writeFileSync(join(debian.root, 'root', DEB), readFileSync(join(out, DEB)));
    server = await BootedDebian.boot(debian.root);
    await inside('systemctl', 'start', 'ssh');
    // another default than what the relay has
    await inside('sh', '-c', 'echo reno > /proc/sys/net/ipv4/tcp_congestion_control');
  });
  afterAll(async () => {
    await server.shutDown();
    debian.remove();
  });

  const at = (path: string): string => join(debian.root, path);

  /** Alice, who is a user, and root let the test's key in; Bob may use sudo without a password. */
  function prepareAccounts(): void {
    const key = readFileSync(join(home, 'key.pub'), 'utf8');
    for (const name of ['alice', 'bob']) spawnSync('chroot', [debian.root, 'useradd', '--create-home', '--shell', '/bin/bash', name]);
    for (const [name, place] of [['root', 'root'], ['alice', 'home/alice'], ['bob', 'home/bob']] as const) {
      mkdirSync(at(`${place}/.ssh`), { recursive: true, mode: 0o700 });
      writeFileSync(at(`${place}/.ssh/authorized_keys`), key, { mode: 0o600 });
      spawnSync('chroot', [debian.root, 'chown', '-R', `${name}:${name}`, `/${place}/.ssh`]);
    }
    writeFileSync(at('etc/sudoers.d/bob'), 'bob ALL=(ALL) NOPASSWD: ALL\n', { mode: 0o440 });
    // ssh looks for its settings in the home directory of the account, whatever HOME is
    writeFileSync(join(home, 'config'), `IdentityFile ${join(home, 'key')}\nUserKnownHostsFile ${join(home, 'known_hosts')}\nStrictHostKeyChecking accept-new\n`);
    writeFileSync(join(home, 'bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${shellWord(join(home, 'config'))} "$@"\n`);
    chmodSync(join(home, 'bin/ssh'), 0o755);
  }

  async function inside(...command: string[]): Promise<string> {
    const { status, output } = await server.run(command);
    expect([command, status, status === 0 ? '' : output]).toEqual([command, 0, '']);
    return output;
  }

  const helper = (...args: string[]) => server.runInItsNetwork([process.execPath, join(ROOT, 'helper/src/main.ts'), 'relay', ...args], { HOME: home, PATH: `${join(home, 'bin')}:/usr/bin:/bin` });
  const setup = (user: string, ...more: string[]) => helper('setup', `ssh://${user}@127.0.0.1`, '--program', join(out, ARCHIVE), ...more);

  /** What a set-up, or a package, may leave. */
  const files = async (): Promise<string> => inside('sh', '-c', 'find /etc/systemd /usr/local /usr/lib/firstscreen-relay /var/lib/private /var/lib/firstscreen-relay /var/lib/systemd/linger /home/alice /home/bob 2>/dev/null | grep -v -e "/.cache" -e dbus -e .wants$ -e /etc/systemd/user$ -e /var/lib/private$ -e /var/lib/systemd/linger$ | sort');

  /** Coders of pictures that a relay has under its unit: one that can not encode there has ended. */
  const coders = async (): Promise<number> => Number(await inside('sh', '-c', 'grep -l -a "encode-image[s]" /proc/[0-9]*/cmdline | wc -l'));

  it.each([
    ['for a user without any rights of root', 'alice', [], ['/home/alice/.local/lib/firstscreen-relay/firstscreen-relay', '/home/alice/.local/lib/firstscreen-relay/state']],
    ['for the machine, as root', 'root', [], ['/usr/local/lib/firstscreen-relay/firstscreen-relay', DIRECTORY]],
    ['for the machine, by sudo', 'bob', ['--system'], ['/usr/local/lib/firstscreen-relay/firstscreen-relay', DIRECTORY]],
  ] as const)('is set up by ssh %s, has what Node can not set, and goes without a trace', async (_case, user, options, [program, state]) => {
    const before = await files();
    expect(await setup(user, ...options)).toMatchObject({ status: 0, output: expect.stringContaining('127.0.0.1:4433 answers') as string });
    expect((await helper('status')).output).toContain('pass  relay: 127.0.0.1:4433 answers');
    const doctor = await inside(program, 'doctor', '--directory', state);
    for (const line of ['pass  process', 'pass  port', `pass  congestion control: ${CONGESTION_CONTROL}`, `pass  unsent bytes: ${TCP_NOTSENT_LOWAT_BYTES} a connection`, 'pass  helpers: 1 let in', PICTURES]) expect(doctor).toContain(line);
    expect(await coders()).not.toBe(0);
    expect(await helper('remove', '--far', `ssh://${user}@127.0.0.1`, ...options)).toMatchObject({ status: 0, output: expect.stringContaining('the relay is gone') as string });
    expect(await files()).toBe(before);
    expect(await inside('sh', '-c', `grep -l "^[^ ]*firstscreen-relay.serve" /proc/[0-9]*/cmdline || true`)).toBe('');
  });

  it('runs from its package under its unit, is joined by ssh, goes on after an update, and is purged whole', async () => {
    const before = await files();
    await inside('dpkg', '--install', `/root/${DEB}`);
    expect((await server.run(['systemctl', 'is-enabled', 'firstscreen-relay.service'])).output).toBe('disabled\n');
    expect((await server.run(['systemd-analyze', '--man=no', 'verify', 'firstscreen-relay.service'])).output).toBe('');
    expect(await setup('root')).toMatchObject({ status: 0, output: expect.stringContaining('start the relay of the package') as string });
    const doctor = await inside('firstscreen-relay', 'doctor', '--directory', DIRECTORY);
    for (const line of [`pass  congestion control: ${CONGESTION_CONTROL}`, `pass  unsent bytes: ${TCP_NOTSENT_LOWAT_BYTES} a connection`, 'pass  helpers: 1 let in']) expect(doctor).toContain(line);
    expect(await inside('sh', '-c', `stat -L -c %U ${DIRECTORY}/key.pem; cat /proc/$(systemctl show -P MainPID firstscreen-relay)/status | grep -E "^(CapEff|NoNewPrivs)"`)).toMatch(/^(UNKNOWN|firstscreen-relay)\nCapEff:\s+0000000000000000\nNoNewPrivs:\s+1\n$/);

    // nobody asks this one for a picture: it ends, with a failure where it can not encode
    expect(await coders()).not.toBe(0);
    await inside('sh', '-c', `mkdir -p ${DROP_IN} && printf "[Service]\\nExecStartPre=/usr/lib/firstscreen-relay/firstscreen-relay encode-images\\n" > ${DROP_IN}/test.conf && systemctl daemon-reload && systemctl restart firstscreen-relay && rm -r ${DROP_IN} && systemctl daemon-reload`);

    await inside('dpkg', '--install', `/root/${DEB}`);
    expect((await helper('status')).output).toContain('pass  relay');

    expect(await helper('remove', '--far', 'ssh://root@127.0.0.1')).toMatchObject({ status: 0, output: expect.stringContaining('the relay is gone') as string });
    expect((await server.run(['systemctl', 'is-enabled', 'firstscreen-relay.service'])).output).toBe('disabled\n');
    // by somebody who thought better of it
    await inside('systemctl', 'enable', 'firstscreen-relay.service');
    expect(await files()).toContain('firstscreen-relay.socket');
    await inside('dpkg', '--purge', 'firstscreen-relay');
    expect(await files()).toBe(before);
  });
});
