import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { planInstall } from './install.ts';
import { parseOptions } from './options.ts';
import { checkSandboxes } from './sandboxes.ts';

describe('browsers from Snap and Flatpak', () => {
  let machine: TemporaryMachine;
  beforeEach(() => void (machine = temporaryMachine('linux')));

  const make = (directory: string) => mkdirSync(join(machine.home, directory), { recursive: true });
  /** @param status of asking for the portal's version */
  function withPortal(status: number): TemporaryMachine {
    const bin = join(machine.root, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'busctl'), `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
    return { ...machine, env: { PATH: bin } };
  }

  it.each([
    ['snap/chromium', 0, 'warn', 'Chromium from Snap can not start the helper'],
    ['snap/brave', 0, 'warn', 'Brave from Snap can not'],
    ['.var/app/com.google.Chrome', 0, 'warn', 'Chrome from Flatpak can not'],
    ['snap/firefox', 0, 'pass', 'Firefox from Snap asks'],
    ['.var/app/org.mozilla.firefox', 0, 'pass', 'Firefox from Flatpak asks'],
    ['.var/app/org.mozilla.firefox', 1, 'warn', 'portal WebExtensions, which this desktop does not offer'],
  ] as const)('%s, the portal answers with status %j: %s', (directory, status, verdict, detail) => {
    make(directory);
    expect(checkSandboxes(withPortal(status))).toEqual([expect.objectContaining({ verdict, detail: expect.stringContaining(detail) as string })]);
  });

  it('are none where there are none, and on macOS', () => {
    expect(checkSandboxes(withPortal(0))).toEqual([]);
    make('snap/chromium');
    expect(checkSandboxes({ ...machine, platform: 'darwin' })).toEqual([]);
  });

  it('are found by install, which tells what to do, and tells Firefox about the helper for the portal', () => {
    make('snap/chromium');
    make('snap/firefox');
    const { report, notes } = planInstall(parseOptions(['install']), withPortal(1), machine.bundled);
    expect(report.manifests.map(({ browser }) => browser)).toEqual(['firefox']);
    expect(notes).toEqual([expect.stringMatching(/Chromium from Snap.*Use the extension alone/), expect.stringMatching(/Firefox from Snap.*portal/), expect.stringMatching(/^To look whether all is well/)]);
  });
});
