import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { outputOf, run } from './run.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockEntry */
/** @typedef {Readonly<Record<string, LockEntry>>} LockPackages */

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
 * The npm packages of package-lock.json.
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
    run() {
      run(root, {
        log: 'npm-ci',
        command: 'npm',
        args: ['ci', '--no-audit', '--no-fund'],
        code: 'E_SETUP_NPM',
        attempt: 'installing the npm packages',
        next: 'If package.json was edited by hand, run npm install; else see to it that the npm registry can be reached, then run this again',
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
    run() {
      run(root, {
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
