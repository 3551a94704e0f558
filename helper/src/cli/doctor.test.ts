import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { trustDirectory } from '../trust/authority.ts';
import { manifestDirectory, type BrowserName } from './browsers.ts';
import type { Check } from '../../../shared/src/check.ts';
import { examine } from './doctor.ts';
import { planInstall } from './install.ts';
import { layoutOf } from './layout.ts';
import { parseOptions } from './options.ts';
import { runCli } from './runCli.ts';
import { shellWord } from './shellWord.ts';
import { applySteps } from './steps.ts';

describe('doctor', () => {
  let machine: TemporaryMachine;
  beforeEach(() => void (machine = temporaryMachine('linux')));

  const install = () => applySteps(planInstall(parseOptions(['install', '--browser', 'chrome', '--browser', 'firefox']), machine, machine.source).steps);
  const examineAll = () => examine(parseOptions(['doctor']), machine);
  const manifestOf = (browser: BrowserName) => join(manifestDirectory(browser, 'user', machine) ?? '', 'org.firstscreen.helper.json');
  const chromeManifest = () => manifestOf('chrome');
  const edit = (path: string, change: (text: string) => string) => writeFileSync(path, change(readFileSync(path, 'utf8')));
  const verdictsOf = (checks: readonly Check[], verdict: Check['verdict']) => [...new Set(checks.filter((check) => check.verdict === verdict).map(({ name }) => name))];

  it('finds nothing wrong with a good installation, and speaks with it as both browsers do', async () => {
    install();
    // a path of the machine that runs this test may be open to others; that is not this installation's fault
    const checks = (await examineAll()).filter(({ name }) => name !== 'permissions');
    expect(checks.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['node', 'program', 'launcher', 'manifest for Chrome', 'manifest for Firefox', 'conversation as Chromium', 'conversation as Firefox']));
  });

  it('says how to install when nothing is', async () => {
    expect((await examineAll())[0]).toMatchObject({ name: 'installation', verdict: 'fail', next: expect.stringContaining('install') as string });
  });

  it.each<[string, () => void, string[]]>([
    ['a receipt that can not be read', () => writeFileSync(layoutOf('user', machine).receipt, '{'), ['installation']],
    ['a missing launcher', () => rmSync(layoutOf('user', machine).launcher), ['launcher', 'conversation as Chromium', 'conversation as Firefox']],
    ['a launcher that is not executable', () => chmodSync(layoutOf('user', machine).launcher, 0o644), ['launcher', 'conversation as Chromium', 'conversation as Firefox']],
    ['a launcher that prints', () => edit(layoutOf('user', machine).launcher, (text) => text.replace('unset', 'echo hello world\nunset')), ['launcher', 'conversation as Chromium', 'conversation as Firefox']],
    ['a node that is gone', () => edit(layoutOf('user', machine).receipt, (text) => text.replaceAll(process.execPath, '/nowhere/node')), ['node', 'launcher']],
    ['a program that is gone', () => edit(layoutOf('user', machine).receipt, (text) => text.replaceAll(machine.source.entry, '/nowhere/main.ts')), ['program', 'launcher']],
    ['a manifest that is no JSON', () => writeFileSync(chromeManifest(), 'x'), ['manifest for Chrome']],
    ['a manifest that lets another extension in', () => edit(chromeManifest(), (text) => text.replace('"chrome-extension://', '"chrome-extension://other/", "chrome-extension://')), ['manifest for Chrome']],
    ['a manifest for another extension', () => edit(chromeManifest(), (text) => text.replace(/chrome-extension:[^"]*/, 'chrome-extension://other/')), ['manifest for Chrome']],
    ['a manifest that starts another program', () => edit(chromeManifest(), (text) => text.replace(/"path": "[^"]*"/, '"path": "/usr/bin/other"')), ['manifest for Chrome']],
    ['no manifest at all', () => [chromeManifest(), manifestOf('firefox')].forEach((path) => rmSync(path)), ['manifest for Chrome', 'manifest for Firefox']],
  ])('fails for %s, naming it and the next step', async (_case, breakIt, failing) => {
    install();
    breakIt();
    const checks = await examineAll();
    expect(verdictsOf(checks, 'fail')).toEqual(failing);
    expect(checks.every(({ verdict, next }) => verdict === 'pass' || next !== '')).toBe(true);
  });

  it('warns of another version, and of directories that others may write to', async () => {
    install();
    edit(layoutOf('user', machine).receipt, (text) => text.replace(/"version": "[^"]*"/, '"version": "0.0.1"'));
    chmodSync(dirname(chromeManifest()), 0o777);
    const checks = await examineAll();
    expect(verdictsOf(checks, 'warn')).toEqual(expect.arrayContaining(['version', 'permissions']));
    expect(checks).toContainEqual(expect.objectContaining({ verdict: 'warn', next: `Run: chmod go-w ${shellWord(dirname(chromeManifest()))}` }));
  });
});

describe('the command line', () => {
  let machine: TemporaryMachine;
  beforeEach(() => void (machine = temporaryMachine('linux')));

  async function run(args: readonly string[], platform: NodeJS.Platform = 'linux'): Promise<{ status: number; out: string; err: string }> {
    let [out, err] = ['', ''];
    const status = await runCli(args, { platform, home: machine.home, env: {}, program: machine.source, print: (text) => (out += text), printError: (text) => (err += text) });
    return { status, out, err };
  }

  it('tells what the system refuses, with the file and what to do', async () => {
    const inTheWay = trustDirectory(machine);
    mkdirSync(dirname(inTheWay), { recursive: true });
    writeFileSync(inTheWay, '');
    expect(await run(['untrust', '--yes'])).toMatchObject({ status: 1, err: expect.stringMatching(/Could not use .*trust \(ENOTDIR\)\. Check .* \(E_INSTALL\)$/) as string });
    rmSync(dirname(inTheWay), { recursive: true });
  });

  it('does nothing without a home directory', async () => {
    for (const home of ['', 'relative']) {
      expect(await runCli(['install', '--browser', 'chrome'], { platform: 'linux', home, env: {}, program: machine.source, print: () => undefined, printError: (text) => expect(text).toMatch(/HOME.*\(E_PLATFORM\)$/) })).toBe(1);
    }
  });

  it('goes from install over status and doctor to uninstall, with a status for each', async () => {
    expect(await run(['install', '--browser', 'lynx'])).toMatchObject({ status: 2, out: '', err: expect.stringContaining('(E_OPTION)') as string });
    expect(await run(['install', '--json'], 'win32')).toMatchObject({ status: 1, err: expect.stringContaining('"code":"E_PLATFORM"') as string });
    // by what runs now, as the shell finds no such command
    expect(await run(['doctor'])).toMatchObject({ status: 1, out: expect.stringContaining(`next: Run "${process.execPath} ${machine.source.entry} install"`) as string });
    expect(await run(['install', '--browser', 'edge', '--dry-run'])).toMatchObject({ status: 0, out: expect.stringContaining('Would:') as string });
    expect(await run(['install', '--browser', 'edge'])).toMatchObject({ status: 0, out: expect.stringContaining('Installed for Edge') as string });
    const { out } = await run(['status', '--json']);
    const { checks } = JSON.parse(out) as { checks: readonly Check[] };
    expect(checks.map(({ name, verdict }) => [name, verdict])).toEqual(['version', 'node', 'program', 'launcher', 'manifest for Edge', 'certificate authority'].map((name) => [name, 'pass']));
    expect(await run(['doctor'])).toMatchObject({ status: 0, out: expect.stringContaining('The helper is ready.') as string });
    expect(await run(['uninstall'])).toMatchObject({ status: 0, out: 'Removed from Edge.' });
    expect(await run(['status'])).toMatchObject({ status: 0, out: expect.stringContaining('nothing is installed') as string });
    expect(await run(['--help'])).toMatchObject({ status: 0, out: expect.stringContaining('Usage:') as string });
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
