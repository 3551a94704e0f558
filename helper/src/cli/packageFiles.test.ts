import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readIfPresent } from '../files.ts';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { HELPER_VERSION } from '../version.ts';
import { manifestDirectory, type BrowserName } from './browsers.ts';
import { planInstall } from './install.ts';
import { layoutOf } from './layout.ts';
import { parseOptions } from './options.ts';
import { packageFiles } from './packageFiles.ts';
import type { Program } from './program.ts';
import { readStatus } from './status.ts';
import { applySteps } from './steps.ts';
import { planUninstall } from './uninstall.ts';

/** As on a machine where the Debian package is installed, with a directory in the place of `/`. */
describe('the files of the Debian package', () => {
  let machine: TemporaryMachine;
  let program: Program;
  let before: Record<string, string>;
  beforeEach(() => {
    machine = temporaryMachine('linux');
    // the extension is beside it here, as only a real executable has it inside
    program = { ...machine.bundled, entry: layoutOf('package', machine).executable };
    write(join(dirname(program.entry), '../extension/managed/manifest.json'), JSON.stringify({ version: HELPER_VERSION }));
    write(program.entry, 'ELF');
    for (const { path, content, mode } of packageFiles(machine)) write(path, content.toString(), mode);
    before = machine.snapshot();
  });

  function write(path: string, content: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
  }
  const install = (...args: string[]) => {
    const plan = planInstall(parseOptions(['install', ...args]), machine, program);
    applySteps(plan.steps);
    return plan;
  };
  const uninstall = (...args: string[]) => applySteps(planUninstall(parseOptions(['uninstall', ...args]), machine).steps);
  const statusOf = (...args: string[]) => readStatus(parseOptions(['status', ...args]), machine).checks;
  const hasRun = (name: BrowserName) => mkdirSync(dirname(manifestDirectory(name, 'user', machine) ?? ''), { recursive: true });
  const manifestOf = (name: BrowserName, scope: 'user' | 'system') => join(manifestDirectory(name, scope, machine) ?? '', 'org.firstscreen.helper.json');

  it('are a whole installation for every browser that documents a place for all users', () => {
    for (const args of [[], ['--system']]) {
      const checks = statusOf(...args);
      expect(checks.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
      expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['version', 'program', 'launcher', ...['Chromium', 'Chrome', 'Edge', 'Firefox'].map((title) => `manifest for ${title}`)]));
    }
    expect(readFileSync(layoutOf('package', machine).launcher, 'utf8')).toContain(`'${program.entry.replaceAll("'", `'\\''`)}' host "$@"`);
  });

  it('leave nothing for install to do', () => {
    hasRun('chrome');
    for (const args of [[], ['--system']]) expect(install(...args)).toMatchObject({ steps: [], nothing: expect.stringContaining('already') as string });
  });

  it('are what the launcher of a user runs whose browser documents no such place', () => {
    hasRun('chrome');
    hasRun('brave');
    expect(install().report.manifests.map(({ browser }) => browser)).toEqual(['brave']);
    const { launcher, bundle, executable } = layoutOf('user', machine);
    expect(JSON.parse(readFileSync(manifestOf('brave', 'user'), 'utf8'))).toMatchObject({ path: launcher });
    expect(readFileSync(launcher, 'utf8')).toContain(`${program.entry.replaceAll("'", `'\\''`)}' host`);
    expect([bundle, executable].map(readIfPresent)).toEqual([null, null]);
    uninstall();
    expect(readIfPresent(manifestOf('brave', 'user'))).toBeNull();
  });

  it('let the extension in that a policy installs, and are as they were without it', () => {
    hasRun('chrome');
    hasRun('edge');
    before = machine.snapshot();
    install('--policy');
    expect(readIfPresent(manifestOf('chrome', 'system'))).toContain(layoutOf('system', machine).launcher);
    expect(statusOf().filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(install('--policy').steps).toEqual([]);
    uninstall('--policy');
    expect(machine.snapshot()).toEqual(before);
  });

  it('are not overwritten by an installation of another helper', () => {
    expect(() => planInstall(parseOptions(['install', '--system', '--browser', 'chrome']), machine, machine.bundled)).toThrow(expect.objectContaining({ code: 'E_INSTALL' }));
    uninstall('--system');
    expect(machine.snapshot()).toEqual(before);
  });

  it('that were changed are told with what puts them right', () => {
    write(manifestOf('edge', 'system'), '{}');
    expect(statusOf()).toContainEqual(expect.objectContaining({ name: 'manifest for Edge', verdict: 'fail', next: expect.stringContaining('apt-get') as string }));
  });
});
