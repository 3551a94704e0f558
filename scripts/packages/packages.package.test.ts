import { execFile, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { filesIn } from '../../helper/src/cli/managedExtension.ts';
import { MemoryStore } from '../../helper/src/memory/memoryStore.ts';
import { HelperClient } from '../../helper/src/testing/helperClient.ts';
import { HELPER_VERSION } from '../../helper/src/version.ts';
import { UNSEEN_DOCUMENT } from '../../shared/src/memory/neededObject.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../shared/src/protocol/identity.ts';
import { CleanDebian } from './cleanDebian.ts';
import { SUITES } from './debians.ts';
import { STORE_LIMIT_BYTES } from './extensionArchives.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const DEB = `firstscreen_${HELPER_VERSION}_amd64.deb`;
const EXECUTABLE = `firstscreen-helper-${HELPER_VERSION}-linux-x64`;
const STORE = `firstscreen-chromium-${HELPER_VERSION}.zip`;

const isRoot = process.getuid?.() === 0;

const [out, another] = inject('packages');
let directory: string;
/** What takes long goes on beside the rest. */
let debians: Readonly<Record<(typeof SUITES)[number], Promise<CleanDebian>>>;
let lintian: Promise<string>;

beforeAll(() => {
  if (isRoot) debians = { bookworm: CleanDebian.make('bookworm'), trixie: CleanDebian.make('trixie') };
  directory = mkdtempSync(join(tmpdir(), 'firstscreen-packages-test-'));
  lintian = run('lintian', ['--allow-root', join(out, DEB)]).then(({ stdout, stderr }) => `${stdout}${stderr}`);
  // its test looks at it
  lintian.catch(() => undefined);
});
afterAll(async () => {
  for (const suite of isRoot ? SUITES : []) (await debians[suite]).remove();
  rmSync(directory, { recursive: true, force: true });
});

describe('packages', () => {
  it('are all there, and the same bytes each time', () => {
    const sumsIn = (place: string): Record<string, string> => Object.fromEntries(readdirSync(place).map((name) => [name, hash('sha256', readFileSync(join(place, name)))]));
    const sums = sumsIn(out);
    expect(Object.keys(sums).sort()).toEqual(
      [STORE, `firstscreen-firefox-${HELPER_VERSION}.xpi`, ...['crx', 'xml', 'zip'].map((ending) => `firstscreen-managed-${HELPER_VERSION}.${ending}`), EXECUTABLE, `firstscreen-helper-${HELPER_VERSION}-notices.txt`, DEB,
        `firstscreen-relay-${HELPER_VERSION}-linux-x64.tar.gz`, `firstscreen-relay-${HELPER_VERSION}-notices.txt`, `firstscreen-relay_${HELPER_VERSION}_amd64.deb`, 'SHA256SUMS'].sort(),
    );
    expect(sumsIn(another)).toEqual(sums);
    expect(spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out }).status).toBe(0);
  });

  it.each([
    [STORE, 'chromium'],
    [`firstscreen-firefox-${HELPER_VERSION}.xpi`, 'firefox'],
    [`firstscreen-managed-${HELPER_VERSION}.zip`, 'managed'],
  ])('%s has what was built, and no key for the store', (name, built) => {
    const unpacked = join(directory, built);
    spawnSync('python3', ['-m', 'zipfile', '-e', join(out, name), unpacked]);
    const found = Object.fromEntries(filesIn(unpacked).map(({ name: file, content }) => [file, content.toString('latin1')]));
    const wanted = Object.fromEntries(filesIn(join(ROOT, 'dist/extension', built)).map(({ name: file, content }) => [file, content.toString('latin1')]));
    if (built === 'chromium') {
      const { key, ...manifest } = JSON.parse(wanted['manifest.json'] ?? '') as Record<string, unknown>;
      expect(key).toEqual(expect.any(String));
      wanted['manifest.json'] = JSON.stringify(manifest, null, 2);
      expect(statSync(join(out, name)).size).toBeLessThan(STORE_LIMIT_BYTES);
    }
    expect(found).toEqual(wanted);
  });
});

describe('the executable', () => {
  const home = (): string => {
    const made = mkdtempSync(join(directory, 'home '));
    for (const path of ['.config/chromium', '.mozilla']) mkdirSync(join(made, path), { recursive: true });
    return made;
  };
  const environmentOf = (place: string): NodeJS.ProcessEnv => ({ HOME: place, PATH: '/usr/bin:/bin', NODE_OPTIONS: '--no-such-option', FIRSTSCREEN_DRIVER_SOCKET: join(place, 'none') });
  const runIn = (place: string, ...args: string[]) => spawnSync(join(out, EXECUTABLE), args, { env: environmentOf(place), encoding: 'utf8' });

  it('says its version, whatever the environment wants of Node', () => {
    expect(runIn(home())).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage:') as string, stderr: '' });
    expect(runIn(home(), '--version')).toMatchObject({ status: 0, stdout: `${HELPER_VERSION}\n`, stderr: '' });
  });

  it('installs itself without root, answers both browsers, and goes without a trace', async () => {
    const place = home();
    const before = filesIn(place);
    expect(runIn(place, 'install', '--browser', 'chromium', '--browser', 'firefox')).toMatchObject({ status: 0, stderr: '' });
    const doctor = runIn(place, 'doctor');
    // whether others may write above the temporary folder is not its fault
    expect(doctor.stdout).toContain('pass  conversation as Chromium');
    expect(doctor.stdout).toContain('pass  conversation as Firefox');
    expect(doctor).toMatchObject({ status: 0, stdout: expect.stringContaining('The helper is ready.') as string });
    const client = new HelperClient(join(place, '.local/share/firstscreen/firstscreen-helper'), [CHROMIUM_EXTENSION_ORIGIN], environmentOf(place));
    expect((await client.hello()).payload).toMatchObject({ helperVersion: HELPER_VERSION });
    expect(await client.close()).toEqual({ status: 0, signal: null });
    expect(runIn(place, 'uninstall')).toMatchObject({ status: 0 });
    expect(filesIn(place)).toEqual(before);
  });

  it('has the extension for a policy inside', () => {
    const { stdout, status } = runIn(home(), 'install', '--policy', '--browser', 'chromium', '--dry-run');
    expect([status, stdout]).toEqual([0, expect.stringContaining('/usr/local/lib/firstscreen/extension.crx')]);
  });
});

describe('the Debian package', () => {
  it('belongs to root, lets everybody read it and nobody write it', () => {
    const { stdout } = spawnSync('dpkg-deb', ['--contents', join(out, DEB)], { encoding: 'utf8' });
    const files = stdout.trim().split('\n').map((line) => line.split(/\s+/));
    for (const [mode = '', owner, , , , path] of files) expect([path, owner, mode]).toEqual([path, 'root/root', expect.stringMatching(/^(d|-)rw[x-]r-[x-]r-[x-]$|^l/)]);
    expect(files.map(([, , , , , path]) => path)).toEqual(expect.arrayContaining(['./usr/bin/firstscreen-helper', './usr/share/man/man1/firstscreen-helper.1.gz', './etc/opt/chrome/native-messaging-hosts/org.firstscreen.helper.json']));
  });

  if (!isRoot) {
    it('in a clean Debian', (context) => {
      context.skip('needs root, for a system of its own in a folder');
    });
  }

  describe.each(isRoot ? SUITES : [])('in a clean Debian (%s)', (suite) => {
    const ALICE = 1000;
    let debian: CleanDebian;
    beforeAll(async () => {
      debian = await debians[suite];
    });

    /** @returns what the command said; one that fails is a failure of the test */
    async function inside(...command: string[]): Promise<string> {
      const { status, output } = await debian.run(command);
      expect([command, status, status === 0 ? '' : output]).toEqual([command, 0, '']);
      return output;
    }
    const at = (path: string): string => join(debian.root, path);
    const read = (path: string): string => readFileSync(at(path), 'utf8');

    /** The same package, as an earlier release would have been. */
    async function earlierRelease(): Promise<string> {
      const tree = join(directory, `earlier-${suite}`);
      await run('dpkg-deb', ['--raw-extract', join(out, DEB), tree]);
      const control = join(tree, 'DEBIAN/control');
      writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 0.0.9'));
      const deb = join(directory, `earlier-${suite}.deb`);
      await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, deb]);
      rmSync(tree, { recursive: true });
      return deb;
    }

    /** A user with a history, as the helper and he himself have written it. */
    function makeAlice(): void {
      const home = at(`home/${ALICE}`);
      for (const path of ['.config/chromium', '.mozilla', '.config/firstscreen', '.local/state/firstscreen']) mkdirSync(join(home, path), { recursive: true });
      writeFileSync(join(home, '.config/firstscreen/never-intercept.txt'), 'www.example.com\n');
      const memory = new MemoryStore(join(home, '.local/state/firstscreen/memory.json'));
      memory.visited({ url: 'https://a.test/', asked: 'https://a.test/', objects: [], origins: ['https://images.test'], document: UNSEEN_DOCUMENT, addresses: [] });
      memory.save();
      chownSync(home, ALICE, ALICE);
      for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) chownSync(join(home, name), ALICE, ALICE);
    }

    it('installs, serves every user, upgrades, and leaves nothing when it is purged', async () => {
      makeAlice();
      const before = debian.snapshot();
      const memory = `home/${ALICE}/.local/state/firstscreen/memory.json`;
      const policy = 'etc/chromium/policies/managed/firstscreen.json';
      const manifest = 'etc/chromium/native-messaging-hosts/org.firstscreen.helper.json';
      cpSync(await earlierRelease(), at('tmp/earlier.deb'));
      cpSync(join(out, DEB), at('tmp/new.deb'));

      await inside('dpkg', '--install', '/tmp/earlier.deb');
      expect(await inside('firstscreen-helper', '--version')).toBe(`${HELPER_VERSION}\n`);
      const own = read(manifest);
      await inside('firstscreen-helper', 'install', '--policy', '--browser', 'chromium');
      expect(read(manifest)).not.toBe(own);

      await inside('dpkg', '--install', '/tmp/new.deb');
      expect(await inside('dpkg-query', '--show', '--showformat=${Version}', 'firstscreen')).toBe(HELPER_VERSION);
      const doctor = await debian.run(['firstscreen-helper', 'doctor'], ALICE);
      expect(doctor).toMatchObject({ status: 0, output: expect.stringContaining('The helper is ready.') as string });
      expect(doctor.output).toContain('pass  conversation as Chromium');
      expect(doctor.output).toContain('pass  extension by policy');
      expect(await debian.run(['firstscreen-helper', 'install'], ALICE)).toMatchObject({ status: 0, output: expect.stringContaining('already') as string });
      expect(read(memory)).toContain('https://a.test');

      await inside('dpkg', '--remove', 'firstscreen');
      expect([policy, 'usr/local/lib/firstscreen', 'usr/lib/firstscreen', 'usr/bin/firstscreen-helper'].filter((path) => existsSync(at(path)))).toEqual([]);
      expect(read(manifest)).toBe(own);
      await inside('dpkg', '--purge', 'firstscreen');
      // empty and of no package, so that dpkg takes it along with the last directory in it
      const { '/etc/opt': _unowned, ...owned } = before;
      expect(debian.snapshot()).toEqual(owned);
    });

    it('leaves an installation alone that is not its own', async () => {
      await inside('dpkg', '--install', '/tmp/new.deb');
      mkdirSync(at('usr/local/lib/firstscreen'), { recursive: true });
      writeFileSync(at('usr/local/lib/firstscreen/install.json'), '{"program": "/usr/local/lib/firstscreen/firstscreen-helper.mjs"}');
      await inside('dpkg', '--purge', 'firstscreen');
      expect(existsSync(at('usr/local/lib/firstscreen/install.json'))).toBe(true);
    });
  });

  it('gives lintian nothing to say', async () => {
    // to root it says that it should not be
    expect((await lintian).split('\n').filter((line) => line.includes('firstscreen'))).toEqual([]);
  });
});
