import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { SetupError } from './error.mjs';
import { outputOf, run } from './run.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean } & ManifestPart} LockEntry */
/** @typedef {Readonly<Record<string, LockEntry>>} LockPackages */
/** @typedef {{ dependencies?: Readonly<Record<string, string>>, devDependencies?: Readonly<Record<string, string>> }} ManifestPart */

/**
 * Whether what npm installed is what the lock file asks for. Optional packages may be absent: they are for other systems.
 * @param {LockPackages} wanted `packages` of package-lock.json
 * @param {LockPackages} installed `packages` of node_modules/.package-lock.json, npm's own record of what it put there
 */
export function installedMatchesLock(wanted, installed) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * @param {string} path
 * @returns {LockPackages | undefined}
 */
function readLock(path) {
  if (!existsSync(path)) return undefined;
  const content = /** @type {unknown} */ (JSON.parse(readFileSync(path, 'utf8')));
  return /** @type {{ packages: LockPackages }} */ (content).packages;
}

/**
 * Whether the lock file was made from this package.json, as npm records it in the lock file's root entry.
 * @param {ManifestPart} manifest package.json
 * @param {ManifestPart} lockRoot `packages['']` of package-lock.json
 */
export function lockMatchesManifest(manifest, lockRoot) {
  /** @param {Readonly<Record<string, string>> | undefined} ranges */
  const sorted = (ranges) => JSON.stringify(Object.entries(ranges ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(manifest.dependencies) === sorted(lockRoot.dependencies) && sorted(manifest.devDependencies) === sorted(lockRoot.devDependencies);
}

/**
 * The npm packages of package-lock.json.
 *
 * `npm install --no-save`, not `npm ci`: both take the locked versions and check their integrity, but `npm ci` refuses a lock file without the optional
 * packages of other systems, and a registry mirror need not have those (docs/development.md). What `npm ci` checks beyond that is checked here.
 * @param {string} root
 * @returns {import('../setup.mjs').Step}
 */
export function npmStep(root) {
  return {
    name: 'npm packages',
    current() {
      const wanted = readLock(join(root, 'package-lock.json'));
      const installed = readLock(join(root, 'node_modules/.package-lock.json'));
      return wanted !== undefined && installed !== undefined && installedMatchesLock(wanted, installed);
    },
    async run() {
      const manifest = /** @type {unknown} */ (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
      const lockRoot = readLock(join(root, 'package-lock.json'))?.[''];
      if (lockRoot === undefined || !lockMatchesManifest(/** @type {ManifestPart} */ (manifest), lockRoot)) {
        throw new SetupError('E_SETUP_NPM', 'could not install the npm packages: package-lock.json does not fit package.json', 'Run npm install and commit both files');
      }
      await run(root, {
        log: 'npm-install',
        command: 'npm',
        args: ['install', '--no-save', '--no-audit', '--no-fund'],
        code: 'E_SETUP_NPM',
        attempt: 'installing the npm packages',
        next: 'See to it that the npm registry can be reached, then run this again',
      });
    },
  };
}

/**
 * Node 24 in node_modules/.bin. The npm package `node` fetches its program in an install script, which npm may be set not to run.
 * @param {string} root
 * @returns {import('../setup.mjs').Step}
 */
export function nodeStep(root) {
  return {
    name: 'Node 24',
    current: () => outputOf(join(root, 'node_modules/.bin/node'), ['--version'])?.startsWith('v24.') === true,
    async run() {
      await run(root, {
        log: 'node-24',
        command: process.execPath,
        args: ['installArchSpecificPackage.js'],
        cwd: join(root, 'node_modules/node'),
        code: 'E_SETUP_NODE',
        attempt: 'installing Node 24',
        next: 'See to it that the npm registry can be reached and has Node for this system, then run this again',
      });
    },
  };
}
