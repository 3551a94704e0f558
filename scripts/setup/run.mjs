import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { SetupError } from './error.mjs';

const SHOWN_LOG_LINES = 40;
/** Every command here is done in a few minutes on two slow cores; a registry that does not answer would keep npm or pip for much longer. */
const LIMIT_MS = 10 * 60 * 1000;

/**
 * The environment without what an outer `npm run` put there: a nested npm must not take the outer one's prefix or lifecycle for its own.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Record<string, string | undefined>}
 */
export function withoutNpmState(environment) {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(npm_(lifecycle|package|command|execpath|node_execpath|config_(local_|global_)?prefix)|INIT_CWD$)/.test(name)),
  );
}

/**
 * Runs a command to its end with its output in build/setup/LOG.log; shows the end of the log when it fails.
 * @param {string} root root of the checkout
 * @param {{
 *   log: string, command: string, args: readonly string[], cwd?: string, env?: Readonly<Record<string, string>>,
 *   code: import('./error.mjs').SetupError['code'], attempt: string, next: string,
 * }} options
 */
export async function run(root, options) {
  const directory = join(root, 'build/setup');
  mkdirSync(directory, { recursive: true });
  const logPath = join(directory, `${options.log}.log`);
  const log = openSync(logPath, 'w');
  /** @type {string | null} */
  let cause;
  try {
    cause = await new Promise((resolve) => {
      const child = spawn(options.command, options.args, {
        cwd: options.cwd ?? root,
        env: { ...withoutNpmState(process.env), ...options.env },
        stdio: ['ignore', log, log],
        timeout: LIMIT_MS,
      });
      child.on('error', ({ message }) => resolve(message));
      child.on('close', (status, signal) => resolve(status === 0 ? null : signal === null ? `exit status ${status}` : `ended by ${signal}`));
    });
  } finally {
    closeSync(log);
  }
  if (cause === null) return;
  const end = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-SHOWN_LOG_LINES).join('\n');
  if (end !== '') process.stderr.write(`${end}\n`);
  throw new SetupError(options.code, `${options.attempt} failed: ${[options.command, ...options.args].join(' ')}: ${cause}`, `${options.next} (whole log: ${logPath})`);
}

/**
 * Standard output of a short command, or undefined when it can not be started or fails.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} [env]
 */
export function outputOf(command, args, env) {
  const result = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
  return result.status === 0 ? result.stdout : undefined;
}
