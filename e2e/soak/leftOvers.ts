import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
/** What a browser's and a helper's processes may take to end. */
const END_LIMIT_MS = 10_000;

/** Command lines of processes that have a directory in their command line or environment and do not end; Linux only. */
export async function leftOvers(dir: string): Promise<string[]> {
  const deadlineMs = performance.now() + END_LIMIT_MS;
  let left = processesOf(dir);
  while (left.length > 0 && performance.now() < deadlineMs) {
    await sleep(POLL_MS);
    left = processesOf(dir);
  }
  return left;
}

function processesOf(dir: string): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).flatMap((pid) => {
    const command = textOf(`/proc/${pid}/cmdline`);
    return `${command}\0${textOf(`/proc/${pid}/environ`)}`.includes(`${dir}/`) ? [command.replaceAll('\0', ' ')] : [];
  });
}

/** Empty where the process has ended meanwhile, or is a zombie. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
