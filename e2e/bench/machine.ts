import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { CHROMIUM, FIREFOX, ROOT } from '../browsers/executables.ts';
import type { Results } from './results.ts';

const run = promisify(execFile);

export function machine(): Results['machine'] {
  const cores = cpus();
  return { cpu: cores[0]?.model ?? 'unknown', cores: cores.length, memoryBytes: totalmem(), kernel: release(), root: process.getuid?.() === 0 };
}

/** Versions of everything that takes part. What can not be found out is 'unknown': a benchmark does not fail for it. */
export async function versions(): Promise<Record<string, string>> {
  const [chromium, firefox, checkout, packageJson] = await Promise.all([
    output(CHROMIUM, ['--version']),
    output(FIREFOX, ['--version']),
    commit(),
    readFile(`${ROOT}/package.json`, 'utf8'),
  ]);
  const { version } = JSON.parse(packageJson) as { version: string };
  return { firstscreen: version, commit: checkout, chromium, firefox, node: process.version };
}

/** Of a checkout. */
export function commit(): Promise<string> {
  return output('git', ['-C', ROOT, 'describe', '--always', '--dirty']);
}

async function output(command: string, options: readonly string[]): Promise<string> {
  try {
    return (await run(command, options)).stdout.trim();
  } catch {
    return 'unknown';
  }
}

/** What the machine's TCP has. */
export async function congestionControl(): Promise<string> {
  return (await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8')).trim();
}
