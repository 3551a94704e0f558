import { spawnSync } from 'node:child_process';
import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { filesIn } from '../../helper/src/cli/managedExtension.ts';
import { COMMANDS } from '../../relay/src/cli/commandTable.ts';
import { CONGESTION_CONTROL, TCP_NOTSENT_LOWAT_BYTES } from '../../shared/src/relay/listening.ts';
import { layOutRelayTree } from './relayTree.ts';

let directory: string;
let tree: string;
beforeEach(() => {
  directory = temporaryDirectory();
  tree = join(directory, 'tree');
  const executable = join(directory, 'executable');
  writeFileSync(executable, 'ELF', { mode: 0o700 });
  const umask = process.umask(0o077);
  try {
    layOutRelayTree(tree, { version: '1.2.3', executable, libraries: [{ path: 'node_modules/@img/a/lib/a.node', source: executable }], notices: 'notices', epochSeconds: 1_795_660_000 });
  } finally {
    process.umask(umask);
  }
});

const modeOf = (path: string): string => (statSync(join(tree, path)).mode & 0o777).toString(8);
const read = (path: string): string => readFileSync(join(tree, path), 'utf8');

it('lays out what is installed, for everybody to read, whatever the umask', () => {
  expect(filesIn(tree).map(({ name }) => `${modeOf(name)} ${name}`).sort()).toEqual(
    [
      '755 usr/lib/firstscreen-relay/firstscreen-relay',
      '755 usr/lib/firstscreen-relay/launch',
      '644 usr/lib/firstscreen-relay/node_modules/@img/a/lib/a.node',
      '644 lib/systemd/system/firstscreen-relay.service',
      '644 lib/systemd/system/firstscreen-relay.socket',
      '644 usr/share/bash-completion/completions/firstscreen-relay',
      '644 usr/share/doc/firstscreen-relay/third-party-notices.txt',
      '644 usr/share/fish/vendor_completions.d/firstscreen-relay.fish',
      '644 usr/share/man/man1/firstscreen-relay.1',
      '644 usr/share/zsh/vendor-completions/_firstscreen-relay',
    ].sort(),
  );
  expect(realpathSync(join(tree, 'usr/bin/firstscreen-relay'))).toBe(realpathSync(join(tree, 'usr/lib/firstscreen-relay/firstscreen-relay')));
});

it('has units that start what is there, without any right of root', () => {
  const service = read('lib/systemd/system/firstscreen-relay.service');
  const start = /^ExecStart=(.*)$/m.exec(service)?.[1]?.split(' ') ?? [];
  expect(start.slice(2)).toEqual(['serve', '--directory', '/var/lib/firstscreen-relay']);
  for (const program of start.slice(0, 2)) expect(modeOf(program)).toBe('755');
  for (const line of ['DynamicUser=yes', 'CapabilityBoundingSet=', 'NoNewPrivileges=yes', 'ProtectSystem=strict']) expect(service.split('\n')).toContain(line);
  expect(read('lib/systemd/system/firstscreen-relay.socket').split('\n')).toContain(`TCPCongestion=${CONGESTION_CONTROL}`);
});

it('a container has the same of its namespace as the units give', () => {
  const compose = readFileSync(new URL('relay/compose.yaml', import.meta.url), 'utf8');
  for (const line of [`net.ipv4.tcp_congestion_control: ${CONGESTION_CONTROL}`, `net.ipv4.tcp_notsent_lowat: ${TCP_NOTSENT_LOWAT_BYTES}`, 'net.ipv4.tcp_slow_start_after_idle: 0']) expect(compose).toContain(line);
});

describe('its manual page and completions', () => {
  it('name every command', () => {
    const texts = ['usr/share/man/man1/firstscreen-relay.1', 'usr/share/bash-completion/completions/firstscreen-relay', 'usr/share/zsh/vendor-completions/_firstscreen-relay', 'usr/share/fish/vendor_completions.d/firstscreen-relay.fish'].map(read);
    for (const text of texts) for (const command of Object.keys(COMMANDS)) expect(text.replaceAll('\\-', '-')).toContain(command);
  });

  it.each([['bash', 'usr/share/bash-completion/completions/firstscreen-relay'], ['zsh', 'usr/share/zsh/vendor-completions/_firstscreen-relay'], ['fish', 'usr/share/fish/vendor_completions.d/firstscreen-relay.fish']])('are ones that %s can read', (shell, path) => {
    const { error, status, stderr } = spawnSync(shell, ['-n', join(tree, path)], { encoding: 'utf8' });
    expect([error, status, stderr]).toEqual([undefined, 0, '']);
  });

  it('offer what begins so', () => {
    const script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _firstscreen_relay; printf "%s\\n" "${COMPREPLY[@]}"';
    const offered = (...words: string[]): string => spawnSync('bash', ['-c', script, 'bash', join(tree, 'usr/share/bash-completion/completions/firstscreen-relay'), 'firstscreen-relay', ...words], { encoding: 'utf8', cwd: directory }).stdout.trim();
    expect([offered('re'), offered('status', '--'), offered('init', '--l'), offered('status', '--directory', 't'), offered('proxy', '--key', 'exe')]).toEqual(['revoke', '--directory', '--listen', 'tree', 'executable']);
  });

  it('man sets the page without a complaint', (context) => {
    const { error, stderr, stdout } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z'], { input: read('usr/share/man/man1/firstscreen-relay.1'), encoding: 'utf8' });
    if (error !== undefined) context.skip('needs groff');
    expect([stderr, stdout]).toEqual(['', '']);
  });
});
