import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { driverCommands, helperCommands, trustCommands, type Machine } from './commands.ts';

const VERSION = '1.2.3';

// each text of _locales is its key
beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: () => '' } }));

const machine = (os: string, arch: string): Machine => ({ os, arch, version: VERSION });
const docs = (name: string): string => readFileSync(join(import.meta.dirname, '../../../docs', name), 'utf8');

describe('to install the helper', () => {
  const DEB = 'sudo apt install ./firstscreen_1.2.3_amd64.deb';
  const X64 = 'chmod +x firstscreen-helper-1.2.3-linux-x64 && ./firstscreen-helper-1.2.3-linux-x64 install';
  const ARM64 = 'chmod +x firstscreen-helper-1.2.3-linux-arm64 && ./firstscreen-helper-1.2.3-linux-arm64 install';
  const NODE = 'node dist/helper/firstscreen-helper.mjs install';

  it.each([
    ['linux', 'x86-64', [DEB, X64]],
    ['linux', 'arm64', [ARM64]],
    ['linux', 'aarch64', [ARM64]],
    ['linux', 'x86-32', [NODE]],
    ['mac', 'arm64', [NODE]],
    ['win', 'x86-64', []],
    ['android', 'arm64', []],
    ['cros', 'x86-64', []],
  ])('on %s, %s', (os, arch, expected) => expect(helperCommands(machine(os, arch)).map(({ text }) => text)).toEqual(expected));

  it('where there are two ways, each says for whom it is', () => {
    const labels = helperCommands(machine('linux', 'x86-64')).map(({ label }) => label);
    expect(new Set([...labels, '']).size).toBe(3);
  });

  it('files are those that docs/helper.md names', () => {
    for (const name of ['firstscreen_VERSION_amd64.deb', 'firstscreen-helper-VERSION-linux-x64', NODE]) expect(docs('helper.md')).toContain(name);
  });
});

it('to open encrypted connections there are the command and, where the shell does not find it, its program; nothing where stores are not known', () => {
  expect(trustCommands(machine('linux', 'arm64')).map(({ text }) => text)).toEqual(['firstscreen-helper trust', '~/.local/share/firstscreen/firstscreen-helper.bin trust']);
  expect(trustCommands(machine('mac', 'arm64'))).toEqual([]);
});

it('to install the driver there is what docs/driver.md says, in one line', () => {
  const steps = driverCommands().flatMap(({ text }) => text.split(' && '));
  expect(steps).toHaveLength(3);
  for (const step of steps) expect(docs('driver.md').replaceAll('./out/', './')).toContain(step);
});
