import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { UNSEEN_DOCUMENT } from '../../../shared/src/memory/neededObject.ts';
import { CHROMIUM_EXTENSION_ORIGIN, FIREFOX_ADDON_ID } from '../../../shared/src/protocol/identity.ts';
import { isFile } from '../files.ts';
import { MemoryStore, memoryPath } from '../memory/memoryStore.ts';
import { relayConfigPath } from '../relay/relayConfig.ts';
import { spoolPath } from '../spool/spoolFile.ts';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { HELPER_VERSION } from '../version.ts';
import { BROWSERS, BROWSER_NAMES, manifestDirectory, type BrowserName } from './browsers.ts';
import { planInstall } from './install.ts';
import { layoutOf } from './layout.ts';
import type { Machine } from './machine.ts';
import { parseOptions } from './options.ts';
import type { Program } from './program.ts';
import { readStatus } from './status.ts';
import { applySteps, write } from './steps.ts';
import { planUninstall } from './uninstall.ts';

const EVERY_BROWSER = BROWSER_NAMES.flatMap((name) => ['--browser', name]);

const userManifestDirectory = (name: BrowserName, machine: Machine): string => manifestDirectory(name, 'user', machine) ?? '';

describe.each(['linux', 'darwin'] as const)('install and uninstall on %s', (platform) => {
  let machine: TemporaryMachine;
  let before: Record<string, string>;
  beforeEach(() => {
    machine = temporaryMachine(platform);
    before = machine.snapshot();
  });

  const install = (args: readonly string[] = EVERY_BROWSER, program: Program = machine.bundled) => {
    const plan = planInstall(parseOptions(['install', ...args]), machine, program);
    applySteps(plan.steps);
    return plan;
  };
  const uninstall = (...args: string[]) => {
    const plan = planUninstall(parseOptions(['uninstall', ...args]), machine);
    applySteps(plan.steps);
    return plan;
  };
  const failures = () => readStatus({ scope: 'user' }, machine).checks.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name);
  const installedFor = (...args: string[]) => {
    const sound = readStatus(parseOptions(['status', ...args]), machine).checks.filter(({ verdict }) => verdict === 'pass').map(({ name }) => name);
    return BROWSER_NAMES.filter((name) => sound.includes(`manifest for ${BROWSERS[name].title}`));
  };

  it('leaves the machine as it was', () => {
    install();
    expect(installedFor()).toEqual(BROWSER_NAMES);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('takes along what the helper has learnt', () => {
    install();
    const path = memoryPath(machine);
    const store = new MemoryStore(path);
    store.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
    store.save();
    const leftover = `${path}.${2 ** 22 + 1}.tmp`;
    copyFileSync(path, leftover);
    expect([path, leftover].map(isFile)).toEqual([true, true]);
    uninstall();
    expect([path, leftover].map(isFile)).toEqual([false, false]);
  });

  it('leaves nothing of spools, nor of writes that a crash has ended', () => {
    install();
    const spool = spoolPath(machine);
    const { executable, launcher } = layoutOf('user', machine);
    const leftovers = [executable, launcher, relayConfigPath(machine), join(userManifestDirectory('chrome', machine), 'org.firstscreen.helper.json')].map((path) => `${path}.${2 ** 22 + 1}.tmp`);
    for (const path of [join(spool, 'left.spool'), ...leftovers]) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, '');
    }
    uninstall();
    const left = Object.keys(machine.snapshot()).filter((path) => !(path in before));
    // directories of the system's, which others share
    expect(left.filter((path) => isFile(path) || /firstscreen/i.test(basename(path)))).toEqual([]);
    expect(uninstall().steps).toEqual([]);
  });

  it('does nothing the second time', () => {
    install();
    const after = machine.snapshot();
    expect(install().steps).toEqual([]);
    expect(machine.snapshot()).toEqual(after);
  });

  it('writes what each browser reads, pointing at an executable launcher', () => {
    for (const { browser, manifest } of install().report.manifests) {
      const content = JSON.parse(readFileSync(manifest, 'utf8')) as { path: string };
      const callers = BROWSERS[browser].family === 'chromium' ? { allowed_origins: [CHROMIUM_EXTENSION_ORIGIN] } : { allowed_extensions: [FIREFOX_ADDON_ID] };
      expect(content).toEqual({ name: 'org.firstscreen.helper', description: expect.any(String) as string, path: layoutOf('user', machine).launcher, type: 'stdio', ...callers });
      accessSync(content.path, constants.X_OK);
    }
  });

  it('keeps its files private to the user, whatever the umask', () => {
    const umask = process.umask(0o077);
    try {
      install();
    } finally {
      process.umask(umask);
    }
    const { directory, launcher, bundle } = layoutOf('user', machine);
    const mode = (path: string) => machine.snapshot()[path]?.slice(0, 3);
    expect([directory, launcher, bundle].map(mode)).toEqual(['700', '755', '644']);
  });

  it('copies a bundle, and runs sources where they are', () => {
    const { bundle, launcher } = layoutOf('user', machine);
    install();
    expect(readFileSync(bundle, 'utf8')).toBe(readFileSync(machine.bundled.entry, 'utf8'));
    install(EVERY_BROWSER, machine.source);
    expect(readFileSync(launcher, 'utf8')).toContain(machine.source.entry);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('copies an executable, which the launcher runs by itself and which takes the place of a bundle', () => {
    const { bundle, executable, launcher } = layoutOf('user', machine);
    install();
    install(EVERY_BROWSER, machine.executable);
    expect(readFileSync(executable).equals(readFileSync(machine.executable.entry))).toBe(true);
    expect(machine.snapshot()[executable]?.slice(0, 3)).toBe('755');
    expect(isFile(bundle)).toBe(false);
    expect(readFileSync(launcher, 'utf8')).not.toContain(process.execPath);
    expect(installedFor()).toEqual(BROWSER_NAMES);
    expect(install(EVERY_BROWSER, machine.executable).steps).toEqual([]);
    install();
    expect([bundle, executable].map(isFile)).toEqual([true, false]);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('brings a changed bundle up to date, and only that', () => {
    install();
    writeFileSync(machine.bundled.entry, '// newer\n');
    expect(install().steps.map(({ path }) => path)).toEqual([layoutOf('user', machine).bundle]);
  });

  it('does nothing in a dry run but says every step', () => {
    const plan = planInstall(parseOptions(['install', ...EVERY_BROWSER]), machine, machine.bundled);
    expect(machine.snapshot()).toEqual(before);
    applySteps(plan.steps);
    const made = Object.keys(machine.snapshot()).filter((path) => !(path in before));
    expect(plan.steps.map(({ path }) => path).sort()).toEqual(made.sort());
  });

  it('puts its command where the shell looks, where there is none, and takes that away', () => {
    const bin = join(machine.home, '.local/bin');
    const command = join(bin, 'firstscreen-helper');
    machine = { ...machine, env: { PATH: `/none:${bin}` } };
    const { notes } = install(EVERY_BROWSER, machine.source);
    expect(notes?.at(-1)).toBe('To look whether all is well: firstscreen-helper doctor');
    expect(execFileSync(command, ['--version'], { encoding: 'utf8' }).trim()).toBe(HELPER_VERSION);
    expect(install(EVERY_BROWSER, machine.source).steps).toEqual([]);
    expect(readStatus({ scope: 'user' }, machine).checks).toContainEqual({ name: 'command', verdict: 'pass', detail: command, next: null });
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it.each<[string, (bin: string) => NodeJS.ProcessEnv]>([
    ['the shell does not look there', () => ({ PATH: '/none' })],
    ['somebody has one there', (bin) => {
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, 'firstscreen-helper'), 'mine', { mode: 0o755 });
      return { PATH: bin };
    }],
    ['there is one elsewhere', (bin) => {
      mkdirSync(join(machine.home, 'bin'));
      writeFileSync(join(machine.home, 'bin/firstscreen-helper'), 'mine', { mode: 0o755 });
      return { PATH: `${bin}:${join(machine.home, 'bin')}` };
    }],
  ])('puts no command anywhere where %s', (_, envOf) => {
    machine = { ...machine, env: envOf(join(machine.home, '.local/bin')) };
    before = machine.snapshot();
    const made = install().steps.map(({ path }) => path);
    expect(made.filter((path) => path.includes('/bin'))).toEqual([]);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('names the full path of what it has put there, where the shell does not find its command', () => {
    expect(install(EVERY_BROWSER, machine.executable).notes?.at(-1)).toMatch(/^To look whether all is well: '.*firstscreen-helper\.bin' doctor$/);
  });

  it('leaves a command alone that somebody has changed', () => {
    const bin = join(machine.home, '.local/bin');
    machine = { ...machine, env: { PATH: bin } };
    install();
    writeFileSync(join(bin, 'firstscreen-helper'), 'mine');
    uninstall();
    expect(readFileSync(join(bin, 'firstscreen-helper'), 'utf8')).toBe('mine');
  });

  it('finds the browsers that have run here, and says so when there is none', () => {
    expect(() => install([])).toThrow(expect.objectContaining({ code: 'E_INSTALL', next: expect.stringContaining('--browser') as string }));
    for (const name of ['chrome', 'firefox'] as const) mkdirSync(dirname(userManifestDirectory(name, machine)), { recursive: true });
    expect(install([]).report.manifests.map(({ browser }) => browser)).toEqual(['chrome', 'firefox']);
  });

  it('removes one browser and keeps the rest, then the rest', () => {
    install(['--browser', 'chrome', '--browser', 'firefox']);
    uninstall('--browser', 'chrome');
    expect(installedFor()).toEqual(['firefox']);
    expect(Object.keys(machine.snapshot())).not.toContain(userManifestDirectory('chrome', machine));
    uninstall('--browser', 'firefox');
    expect(machine.snapshot()).toEqual(before);
  });

  it('adds a browser later, and removes both', () => {
    install(['--browser', 'edge']);
    install(['--browser', 'brave']);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('serves a profile in a place of its own, and remembers it', () => {
    const profile = join(machine.home, 'work/profile');
    const { report } = install(['--user-data-dir', profile]);
    expect(report.manifests.map(({ manifest }) => manifest)).toEqual([join(profile, 'NativeMessagingHosts/org.firstscreen.helper.json')]);
    expect(installedFor()).toEqual(['chromium']);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('lets an extension in that was packed with a key of its own, also when it is installed again without the option', () => {
    const id = 'abcdefghijklmnop'.repeat(2);
    const allowed = (): unknown => (JSON.parse(readFileSync(join(userManifestDirectory('chromium', machine), 'org.firstscreen.helper.json'), 'utf8')) as { allowed_origins: unknown }).allowed_origins;
    install([...EVERY_BROWSER, '--extension-id', id]);
    expect(allowed()).toEqual([CHROMIUM_EXTENSION_ORIGIN, `chrome-extension://${id}/`]);
    expect(readFileSync(layoutOf('user', machine).launcher, 'utf8')).toContain(`host --extension-id=${id} "$@"`);
    expect(installedFor()).toEqual(BROWSER_NAMES);
    expect(install().steps).toEqual([]);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('does not touch what others put beside its files', () => {
    const directory = userManifestDirectory('chromium', machine);
    install();
    writeFileSync(join(directory, 'org.other.json'), '{}');
    uninstall();
    const left = Object.keys(machine.snapshot()).filter((path) => !(path in before));
    expect(left.at(-1)).toBe(join(directory, 'org.other.json'));
    expect(left.every((path) => join(directory, 'org.other.json').startsWith(path))).toBe(true);
  });

  it('brings up to date what it made before and finds no more, and needs no other browser for that', () => {
    const [profile, id] = [join(machine.home, 'work/profile'), 'abcdefghijklmnop'.repeat(2)];
    install(['--user-data-dir', profile]);
    install(['--extension-id', id]);
    expect(readFileSync(join(profile, 'NativeMessagingHosts/org.firstscreen.helper.json'), 'utf8')).toContain(id);
    expect(failures()).toEqual([]);
    uninstall();
    expect(machine.snapshot()).toEqual(before);
  });

  it('asks for nothing of a browser any more that was removed with its directory', () => {
    install(['--browser', 'chrome', '--browser', 'brave']);
    rmSync(dirname(userManifestDirectory('brave', machine)), { recursive: true });
    expect(failures()).toEqual(['manifest for Brave']);
    install([]);
    expect(failures()).toEqual([]);
  });

  it('goes on in a home directory that was moved', () => {
    const home = join(machine.root, 'home/other');
    machine = { ...machine, env: { PATH: join(machine.home, '.local/bin') } };
    install();
    renameSync(machine.home, home);
    machine = { ...machine, home, env: { PATH: join(home, '.local/bin') } };
    install();
    expect(failures()).toEqual([]);
    expect(readFileSync(join(home, '.local/bin/firstscreen-helper'), 'utf8')).toContain(layoutOf('user', machine).bundle.replaceAll("'", `'\\''`));
    uninstall();
    expect(Object.keys(machine.snapshot()).filter((path) => isFile(path) && !(path in before))).toEqual([]);
  });

  it('says so of what it can not read, and uninstalls the rest', () => {
    const manifest = join(userManifestDirectory('chrome', machine), 'org.firstscreen.helper.json');
    install(['--browser', 'firefox']);
    mkdirSync(manifest, { recursive: true });
    expect(() => install(['--browser', 'chrome'])).toThrow(expect.objectContaining({ code: 'E_INSTALL', message: expect.stringContaining(manifest) as string }));
    expect(uninstall().report).toMatchObject({ manifests: [{ browser: 'firefox' }], foreign: [{ manifest }] });
    mkdirSync(layoutOf('user', machine).receipt, { recursive: true });
    expect(() => uninstall()).toThrow(expect.objectContaining({ code: 'E_INSTALL', message: expect.stringContaining('install.json') as string }));
  });

  it('is not for root by sudo, whose browsers nobody uses, unless it is for all users', () => {
    const plan = (by: Partial<Machine>, ...args: string[]) => planInstall(parseOptions(['install', ...EVERY_BROWSER.slice(0, 4), ...args]), { ...machine, home: userInfo().homedir, ...by }, machine.bundled);
    expect(() => plan({ env: { SUDO_UID: '1000' } })).toThrow(expect.objectContaining({ code: 'E_INSTALL', next: expect.stringContaining('without sudo') as string }));
    expect(() => plan({ env: { SUDO_UID: '1000' } }, '--system')).not.toThrow();
    // a home that was made for it, as by a test
    expect(() => plan({ env: { SUDO_UID: '1000' }, home: machine.home })).not.toThrow();
  });

  it.skipIf(process.getuid?.() !== 0)("is not for another user's home, as with a sudo that keeps it (tested as root only: nobody else may give files away)", () => {
    chownSync(machine.home, 12345, 12345);
    expect(() => install()).toThrow(expect.objectContaining({ code: 'E_INSTALL', next: expect.stringContaining('without sudo') as string }));
    expect(machine.snapshot()).toEqual(before);
    expect(install(['--system', '--browser', 'chrome']).steps).not.toEqual([]);
  });

  it.each([['another program', JSON.stringify({ name: 'org.firstscreen.helper', path: process.execPath, type: 'stdio' })], ['no JSON', 'mine']])('neither overwrites nor removes a manifest of its name with %s', (_case, content) => {
    const manifest = join(userManifestDirectory('chrome', machine), 'org.firstscreen.helper.json');
    mkdirSync(dirname(manifest), { recursive: true });
    writeFileSync(manifest, content);
    const withForeign = machine.snapshot();
    expect(() => install(['--browser', 'firefox', '--browser', 'chrome'])).toThrow(expect.objectContaining({ code: 'E_INSTALL' }));
    expect(machine.snapshot()).toEqual(withForeign);
    install(['--browser', 'firefox']);
    expect(uninstall().report.foreign.map((target) => target.manifest)).toEqual([manifest]);
    expect(machine.snapshot()).toEqual(withForeign);
  });

  it('installs for all users where the browser documents a place, and removes that', () => {
    const browsers = ['chromium', 'chrome', 'edge', 'firefox'].flatMap((name) => ['--browser', name]);
    install(['--system', ...browsers]);
    expect(installedFor('--system')).toEqual(['chromium', 'chrome', 'edge', 'firefox']);
    // who has nothing of his own has that
    expect(installedFor()).toEqual(installedFor('--system'));
    // and is told of the authority, which is a user's own
    expect(readStatus({ scope: 'user' }, machine).checks.map(({ name }) => name)).toContain('certificate authority');
    const { notes } = uninstall('--system');
    expect(notes).toEqual([expect.stringMatching(/belong to each user.*firstscreen-helper uninstall$/)]);
    expect(machine.snapshot()).toEqual(before);
    expect(() => install(['--system', '--browser', 'brave'])).toThrow(expect.objectContaining({ code: 'E_OPTION' }));
    // all are those that have a place
    expect(install(['--system', '--browser', 'all']).report.manifests.map(({ browser }) => browser)).toEqual(['chromium', 'chrome', 'edge', 'firefox']);
    rmSync(layoutOf('system', machine).launcher);
    expect(readStatus({ scope: 'user' }, machine).checks).toContainEqual(expect.objectContaining({ name: 'launcher', next: 'Run "sudo firstscreen-helper install --system".' }));
    uninstall('--system', '--browser', 'all');
    expect(machine.snapshot()).toEqual(before);
    expect(readStatus({ scope: 'system' }, machine).checks[0]).toMatchObject({ name: 'installation', next: 'Run "sudo firstscreen-helper install --system".' });
  });

  it('says so when there is nothing to remove', () => {
    expect(uninstall()).toMatchObject({ steps: [], report: { manifests: [], foreign: [] } });
  });

  it('refuses a receipt that it can not read, and a Node that is too old', () => {
    install();
    writeFileSync(layoutOf('user', machine).receipt, '{"format": 2}');
    expect(() => uninstall()).toThrow(expect.objectContaining({ code: 'E_INSTALL' }));
    expect(() => install(EVERY_BROWSER, { ...machine.bundled, nodeVersion: 'v20.11.1' })).toThrow(expect.objectContaining({ code: 'E_PLATFORM' }));
  });

  it('leaves no part of a file behind when it can not write', () => {
    const manifest = join(userManifestDirectory('chrome', machine), 'org.firstscreen.helper.json');
    // a directory in the manifest's place can not be renamed over
    mkdirSync(join(manifest, 'x'), { recursive: true });
    expect(() => applySteps([write({ path: manifest, content: '', mode: 0o644 })])).toThrow(expect.objectContaining({ code: 'E_INSTALL', message: expect.stringContaining(manifest) as string }));
    expect(Object.keys(machine.snapshot()).filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });

  it('mends permissions that were changed', () => {
    install();
    chmodSync(layoutOf('user', machine).launcher, 0o600);
    expect(install().steps).toMatchObject([{ action: 'write', path: layoutOf('user', machine).launcher }]);
  });
});

it('tells every build of Firefox for all users, where a distribution has its own place for it', () => {
  const machine = temporaryMachine('linux');
  mkdirSync(join(machine.root, 'usr/lib64/mozilla'), { recursive: true });
  const before = machine.snapshot();
  const { steps, report } = planInstall(parseOptions(['install', '--system', '--browser', 'firefox']), machine, machine.bundled);
  applySteps(steps);
  expect(report.manifests.map(({ manifest }) => manifest)).toEqual(['lib', 'lib64'].map((name) => join(machine.root, 'usr', name, 'mozilla/native-messaging-hosts/org.firstscreen.helper.json')));
  expect(readStatus({ scope: 'system' }, machine).checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  applySteps(planUninstall(parseOptions(['uninstall', '--system']), machine).steps);
  expect(machine.snapshot()).toEqual(before);
});

it('follows the XDG directories on Linux', () => {
  const machine = temporaryMachine('linux');
  const moved = { ...machine, env: { XDG_CONFIG_HOME: join(machine.home, 'config'), XDG_DATA_HOME: join(machine.home, 'data') } };
  expect(userManifestDirectory('chrome', moved)).toBe(join(machine.home, 'config/google-chrome/NativeMessagingHosts'));
  expect(userManifestDirectory('firefox', moved)).toBe(join(machine.home, '.mozilla/native-messaging-hosts'));
  expect(layoutOf('user', moved).directory).toBe(join(machine.home, 'data/firstscreen'));
});
