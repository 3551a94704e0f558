import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { modeOf, readIfPresent } from '../files.ts';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { HELPER_VERSION } from '../version.ts';
import { manifestDirectory, policyDirectory, type BrowserName } from './browsers.ts';
import { examine } from './doctor.ts';
import { planInstall } from './install.ts';
import { layoutOf } from './layout.ts';
import { parseOptions } from './options.ts';
import type { Program } from './program.ts';
import { applySteps } from './steps.ts';
import { planUninstall } from './uninstall.ts';

const EVERYWHERE = ['--policy', '--browser', 'all'];
const POLICY_BROWSERS: readonly BrowserName[] = ['chromium', 'chrome', 'brave', 'edge'];

/** As the command does it, with a directory in the place of `/`. */
describe('install --policy', () => {
  let machine: TemporaryMachine;
  let program: Program;
  let before: Record<string, string>;
  beforeEach(() => {
    machine = temporaryMachine('linux');
    // as it is delivered: the helper, and beside it the extension
    program = { ...machine.bundled, entry: join(machine.root, 'dist/helper/helper.mjs') };
    write(program.entry, 'export {};\n');
    release(HELPER_VERSION);
    before = machine.snapshot();
  });

  function write(path: string, content: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  function release(version: string): void {
    write(join(machine.root, 'dist/extension/managed/manifest.json'), JSON.stringify({ version }));
    write(join(machine.root, 'dist/extension/managed/icons/16.png'), 'icon');
  }
  const install = (args: readonly string[] = EVERYWHERE) => {
    const plan = planInstall(parseOptions(['install', ...args]), machine, program);
    applySteps(plan.steps);
    return plan;
  };
  const uninstall = (args: readonly string[] = ['--policy']) => {
    const plan = planUninstall(parseOptions(['uninstall', ...args]), machine);
    applySteps(plan.steps);
    return plan;
  };
  const policyFile = (name: BrowserName) => join(policyDirectory(name, machine) ?? '', 'firstscreen.json');
  const settingsIn = (name: BrowserName) => (JSON.parse(readFileSync(policyFile(name), 'utf8')) as { ExtensionSettings: Record<string, { installation_mode: string; update_url: string }> }).ExtensionSettings;
  const idIn = (name: BrowserName) => Object.keys(settingsIn(name))[0] ?? '';
  const layout = () => layoutOf('system', machine);
  const faults = async (args: readonly string[] = ['--system']) => (await examine(parseOptions(['doctor', ...args]), machine)).filter(({ name, verdict }) => (name === 'extension by policy' || name.startsWith('manifest for')) && verdict !== 'pass');

  it('leads each browser from its policy to the package, and lets that into the helper', () => {
    install();
    for (const name of POLICY_BROWSERS) {
      const id = idIn(name);
      const settings = settingsIn(name)[id];
      expect(id).toMatch(/^[a-p]{32}$/);
      expect(settings?.installation_mode).toBe('force_installed');
      const updates = readFileSync(fileURLToPath(settings?.update_url ?? ''), 'utf8');
      expect(updates).toContain(`appid="${id}"`);
      expect(updates).toContain(`version="${HELPER_VERSION}"`);
      const crx = readFileSync(fileURLToPath(/codebase="([^"]+)"/.exec(updates)?.[1] ?? ''));
      expect(crx.subarray(0, 4).toString()).toBe('Cr24');
      expect(modeOf(policyFile(name))).toBe(0o644);
      const manifests = manifestDirectory(name, 'system', machine);
      if (manifests !== null) expect(readFileSync(join(manifests, 'org.firstscreen.helper.json'), 'utf8')).toContain(`chrome-extension://${id}/`);
    }
    expect(modeOf(layout().extensionKey)).toBe(0o600);
    expect(modeOf(layout().crx)).toBe(0o644);
  });

  it('does nothing the second time, and leaves the machine as it was', () => {
    install();
    expect(install().steps).toEqual([]);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
    expect(uninstall().steps).toEqual([]);
  });

  it('keeps the id for a new version', () => {
    install();
    const id = idIn('chrome');
    release('99.0.0');
    expect(install().steps.map(({ path }) => path)).toEqual([layout().crx, layout().receipt, layout().updateList]);
    expect(idIn('chrome')).toBe(id);
    expect(readIfPresent(layout().updateList)).toContain('version="99.0.0"');
  });

  it('goes to the browsers that are there, and removes what it wrote when one of them has gone', () => {
    write(join(machine.root, 'bin/google-chrome'), '');
    const present = { ...machine, env: { PATH: join(machine.root, 'bin') } };
    applySteps(planInstall(parseOptions(['install', '--policy']), present, program).steps);
    expect(POLICY_BROWSERS.filter((name) => readIfPresent(policyFile(name)) !== null)).toEqual(['chrome']);
    rmSync(join(machine.root, 'bin'), { recursive: true });
    uninstall();
    expect(machine.snapshot()).toEqual(before);
    expect(() => install(['--policy'])).toThrow(expect.objectContaining({ code: 'E_POLICY', next: expect.stringContaining('--browser') as string }));
  });

  it('is brought up to date where no browser is found any more, and asks for no file that somebody has removed', async () => {
    install();
    rmSync(policyFile('edge'));
    release('99.0.0');
    expect(install(['--policy']).steps.map(({ path }) => path)).toEqual([layout().crx, layout().receipt, layout().updateList]);
    expect((await faults()).filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    uninstall();
    expect(Object.keys(machine.snapshot())).toEqual(Object.keys(before));
  });

  it('takes one browser back, then the rest', () => {
    install();
    uninstall(['--policy', '--browser', 'edge']);
    expect(POLICY_BROWSERS.filter((name) => readIfPresent(policyFile(name)) !== null)).toEqual(['chromium', 'chrome', 'brave']);
    uninstall(['--policy', '--browser', 'chromium', '--browser', 'chrome']);
    // Brave has a policy and no manifest
    expect(readIfPresent(policyFile('brave'))).not.toBeNull();
    expect(readIfPresent(layout().crx)).not.toBeNull();
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('is for root, and says so before it does anything; a dry run is for everybody', () => {
    const user = { ...machine, isRoot: false };
    expect(() => planInstall(parseOptions(['install', ...EVERYWHERE]), user, program)).toThrow(expect.objectContaining({ code: 'E_NOT_ROOT', next: expect.stringContaining('sudo') as string }));
    expect(planInstall(parseOptions(['install', '--dry-run', ...EVERYWHERE]), user, program).steps.map(({ path }) => path)).toContain(policyFile('chrome'));
    expect(machine.snapshot()).toEqual(before);
  });

  it.each<[string, string, () => void, readonly string[]]>([
    ['Firefox', 'E_OPTION', () => undefined, ['--policy', '--browser', 'firefox']],
    ['no extension beside it', 'E_POLICY', () => rmSync(join(machine.root, 'dist/extension'), { recursive: true }), EVERYWHERE],
    ['a key that is none', 'E_POLICY', () => write(layout().extensionKey, 'x'), EVERYWHERE],
    ['a file of its name that an administrator has changed', 'E_POLICY', () => write(policyFile('edge'), '{"ExtensionSettings":{},"HomepageLocation":"http://a.test/"}'), EVERYWHERE],
  ])('refuses with a code and the next step: %s', (_case, code, act, args) => {
    act();
    const found = machine.snapshot();
    expect(() => install(args)).toThrow(expect.objectContaining({ code, next: expect.stringMatching(/./) as string }));
    expect(machine.snapshot()).toEqual(found);
  });

  it('is for Linux', () => {
    const mac = temporaryMachine('darwin');
    expect(() => planInstall(parseOptions(['install', ...EVERYWHERE]), mac, program)).toThrow(expect.objectContaining({ code: 'E_PLATFORM' }));
  });

  it("leaves an administrator's settings in force, and says what to add to them", async () => {
    const corporate = join(dirname(policyFile('chrome')), 'corporate.json');
    const text = '{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}, /* ours */ }';
    write(corporate, text);
    const { byHand } = install().report;
    expect(byHand).toEqual([expect.stringContaining(corporate)]);
    expect(byHand[0]).toContain(idIn('chromium'));
    expect(readIfPresent(policyFile('chrome'))).toBeNull();
    expect(readIfPresent(corporate)).toBe(text);
    // once he has done it there is nothing left
    write(corporate, text.replace('{"*"', `{"${idIn('chromium')}": {}, "*"`));
    expect(install().report.byHand).toEqual([]);
    const later = join(dirname(policyFile('edge')), 'later.json');
    write(later, text);
    expect(await faults()).toContainEqual(expect.objectContaining({ verdict: 'fail', detail: expect.stringContaining('later.json') as string }));
    // and when he has done what that says
    write(later, text.replace('{"*"', `{"${idIn('edge')}": {}, "*"`));
    rmSync(policyFile('edge'));
    install();
    expect((await faults()).filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  it('is let in by the helper that a user installs for himself, before or after', async () => {
    program = { ...program, nodePath: process.execPath };
    const manifest = () => readIfPresent(join(manifestDirectory('chrome', 'user', machine) ?? '', 'org.firstscreen.helper.json'));
    install(['--browser', 'chrome']);
    install();
    expect(await faults([])).toMatchObject([{ verdict: 'fail', next: expect.stringContaining('firstscreen-helper install') as string }, ...Array.from({ length: 3 }, () => ({ verdict: 'warn' }))]);
    install(['--browser', 'chrome']);
    expect(manifest()).toContain(idIn('chrome'));
    expect((await faults([])).filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  it.each<[string, () => void, string]>([
    ['a policy file that is gone', () => rmSync(policyFile('chrome')), 'is missing'],
    ['a package that is gone', () => rmSync(layout().crx), 'is missing'],
    ['a package that was changed', () => writeFileSync(layout().crx, 'Cr24'), 'not as install wrote it'],
    ['a list of versions that names another', () => writeFileSync(layout().updateList, (readIfPresent(layout().updateList) ?? '').replace(HELPER_VERSION, '0.0.0')), 'not as install wrote it'],
    ['a manifest that does not let it in', () => write(join(manifestDirectory('chrome', 'system', machine) ?? '', 'org.firstscreen.helper.json'), (readIfPresent(join(manifestDirectory('chrome', 'system', machine) ?? '', 'org.firstscreen.helper.json')) ?? '').replace(/,\s*"chrome-extension[^"]*"/, '')), 'not as install wrote it'],
  ])('doctor fails for %s, with the next step', async (_case, breakIt, fault) => {
    install();
    // only Brave documents no place for all users
    expect(await faults()).toMatchObject([{ verdict: 'warn', next: expect.stringContaining('--browser brave') as string }]);
    breakIt();
    expect(await faults()).toContainEqual(expect.objectContaining({ verdict: 'fail', detail: expect.stringContaining(fault) as string, next: expect.stringContaining('firstscreen-helper install') as string }));
  });

  it('doctor warns of an extension of another version, and of browsers that can not start the helper', async () => {
    release('0.0.1');
    install();
    mkdirSync(join(machine.home, 'snap/chromium'), { recursive: true });
    const checks = await examine(parseOptions(['doctor']), machine);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'extension by policy', verdict: 'warn', detail: expect.stringContaining('0.0.1') as string }));
    expect(checks).toContainEqual(expect.objectContaining({ name: 'sandbox', verdict: 'warn' }));
  });
});

