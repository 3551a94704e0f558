import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { fingerprint, filesUnder, stampOf } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { goVersion, isNewEnough, missingPackages } from './machine.mjs';
import { installedMatchesLock, lockMatchesManifest } from './npm.mjs';
import { goInputs } from './products.mjs';
import { withoutNpmState } from './run.mjs';

let directory: string;

beforeEach(() => void (directory = temporaryDirectory()));

function write(path: string, text = ''): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('whether installed npm packages match the lock file', () => {
  const wanted = { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/b': { version: '2.0.0', integrity: 'y', optional: true } };

  it.each([
    ['all there', { 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/b': { version: '2.0.0', integrity: 'y' } }, true],
    ['optional one absent', { 'node_modules/a': { version: '1.0.0', integrity: 'x' } }, true],
    ['one more than wanted', { 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/c': { version: '1.0.0' } }, true],
    ['required one absent', { 'node_modules/b': { version: '2.0.0', integrity: 'y' } }, false],
    ['other version', { 'node_modules/a': { version: '1.0.1', integrity: 'x' } }, false],
    ['other content', { 'node_modules/a': { version: '1.0.0', integrity: 'z' } }, false],
    ['optional one of another version', { 'node_modules/a': { version: '1.0.0', integrity: 'x' }, 'node_modules/b': { version: '1.0.0', integrity: 'y' } }, false],
  ])('%s', (_case, installed, matches) => {
    expect(installedMatchesLock(wanted, installed)).toBe(matches);
  });
});

describe('whether the lock file fits package.json', () => {
  const manifest = { dependencies: { a: '^1.0.0' }, devDependencies: { b: '^2.0.0', c: '1' } };

  it.each([
    ['same, other order', { dependencies: { a: '^1.0.0' }, devDependencies: { c: '1', b: '^2.0.0' } }, true],
    ['other range', { dependencies: { a: '^1.1.0' }, devDependencies: { b: '^2.0.0', c: '1' } }, false],
    ['one missing', { dependencies: { a: '^1.0.0' }, devDependencies: { b: '^2.0.0' } }, false],
    ['kind missing', { devDependencies: { b: '^2.0.0', c: '1' } }, false],
  ])('%s', (_case, lockRoot, fits) => {
    expect(lockMatchesManifest(manifest, lockRoot)).toBe(fits);
  });
});

describe('Debian packages', () => {
  it('misses what is absent, removed or half installed', () => {
    const lines = 'chromium installed\nfirefox-esr config-files\nfonts-a half-installed\n';
    expect(missingPackages(lines, ['chromium', 'firefox-esr', 'fonts-a', 'fonts-b'])).toEqual(['firefox-esr', 'fonts-a', 'fonts-b']);
  });
});

describe('Go versions', () => {
  it.each([
    ['go version go1.26.8 linux/amd64', [1, 26]],
    ['module firstscreen/e2e\n\ngo 1.25\n', [1, 25]],
    ['go version devel go1.27-abc linux/arm64', [1, 27]],
    ['cargo 1.80', undefined],
    ['', undefined],
  ] as const)('reads %j', (text, version) => {
    expect(goVersion(text)).toEqual(version);
  });

  it.each([
    [[1, 25], true],
    [[1, 26], true],
    [[2, 0], true],
    [[1, 24], false],
    [undefined, false],
  ] as const)('%j for 1.25: %j', (have, enough) => {
    expect(isNewEnough(have, [1, 25])).toBe(enough);
  });
});

describe('environment for a nested npm', () => {
  it('drops what the outer npm run set, keeps the user\'s settings', () => {
    const environment = { PATH: 'p', npm_config_registry: 'r', npm_config_prefix: '/x', npm_config_local_prefix: '/x', npm_lifecycle_event: 'test', npm_package_name: 'n', INIT_CWD: '/' };
    expect(withoutNpmState(environment)).toEqual({ PATH: 'p', npm_config_registry: 'r' });
  });
});

describe('fingerprints', () => {
  it('change with a name, a content, a missing file and a fact, and not with the place of the checkout', () => {
    const file = write('one/a', 'x');
    write('two/a', 'x');
    const base = fingerprint(join(directory, 'one'), [file]);
    expect(fingerprint(join(directory, 'two'), [join(directory, 'two/a')])).toBe(base);
    const others = [
      fingerprint(directory, [file]),
      fingerprint(join(directory, 'one'), [file], ['go 1.26']),
      fingerprint(join(directory, 'one'), [file, join(directory, 'one/absent')]),
      fingerprint(join(directory, 'one'), [write('one/a', 'y')]),
    ];
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
  });

  it('list files sorted, without hidden ones and node_modules', () => {
    for (const path of ['b/c', 'a', '.git/x', 'b/node_modules/y']) write(path);
    expect(filesUnder(directory)).toEqual([join(directory, 'a'), join(directory, 'b/c')]);
    expect(filesUnder(join(directory, 'absent'))).toEqual([]);
  });
});

describe('inputs of the Go programs', () => {
  it('are Go sources and what lies beside them, without tests, TypeScript and prose', () => {
    const files = ['/e/go.mod', '/e/go.sum', '/e/link/a.go', '/e/link/a_test.go', '/e/link/profiles.json', '/e/link/cli.ts', '/e/link/notes.md', '/e/bench/cli.ts', '/e/bench/x.json'];
    expect(goInputs(files)).toEqual(['/e/go.mod', '/e/go.sum', '/e/link/a.go', '/e/link/profiles.json']);
  });
});

describe('stamps', () => {
  it('match while inputs are the same and outputs are there', () => {
    const stamp = stampOf(directory, 'dist');
    const output = write('dist/a');
    expect(stamp.matches('f1')).toBe(false);
    stamp.write('f1', [output]);
    expect(stamp.matches('f1')).toBe(true);
    expect(stamp.matches('f2')).toBe(false);
    rmSync(output);
    expect(stamp.matches('f1')).toBe(false);
    write('dist/a');
    stamp.clear();
    expect(stamp.matches('f1')).toBe(false);
  });
});

describe('the lock of the set-up', () => {
  it('lets one process at a time work', async () => {
    const log = write('log');
    const program = `
      import { appendFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.mjs'))};
      await withLock(${JSON.stringify(directory)}, async () => {
        appendFileSync(${JSON.stringify(log)}, 'in ');
        await sleep(100);
        appendFileSync(${JSON.stringify(log)}, 'out ');
      });`;
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' }));
    const statuses = await Promise.all(children.map(async (child) => ((await once(child, 'exit')) as [number])[0]));
    expect(statuses).toEqual([0, 0, 0, 0]);
    expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(4));
  });

  it('is given back when its holder is killed', async () => {
    const program = `
      import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.mjs'))};
      await withLock(${JSON.stringify(directory)}, () => new Promise((resolve) => { console.log('in'); setTimeout(resolve, 60_000); }));`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    await expect(withLock(directory, () => undefined, 0)).rejects.toMatchObject({ code: 'E_SETUP_LOCK' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await withLock(directory, () => undefined, 0);
  });

  it('is given back when the work fails', async () => {
    await expect(withLock(directory, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await withLock(directory, () => undefined, 0);
  });
});
