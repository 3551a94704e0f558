import { existsSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

const END_LIMIT_MS = 10_000;

/** Process ids of the helpers that a browser has started, the last one last. @param pidFile one id a line */
export function helperPids(pidFile: string): number[] {
  return existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim().split('\n').map(Number) : [];
}

/** Whether a process is a helper that has not ended; ids are used again by others. */
export function isHelper(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('firstscreen-helper');
  } catch {
    return false;
  }
}

/** The helpers that are left when their browser has closed, after as long as they may take to save what they know. */
export async function leftHelpers(pidFile: string): Promise<number[]> {
  const left = (): number[] => helperPids(pidFile).filter(isHelper);
  await until(() => left().length === 0, 'all helpers have ended', END_LIMIT_MS).catch(() => undefined);
  return left();
}
