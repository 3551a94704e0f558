import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;
/** What a browser's and a helper's processes may take to end. */
const END_LIMIT_MS = 10_000;

/** Ends processes that have a directory in their command line or environment and do not end by themselves; Linux only. @returns their command lines, and connections that may be what they wait for */
export async function endLeftOvers(dir: string): Promise<string[]> {
  const deadlineMs = performance.now() + END_LIMIT_MS;
  let left = processesOf(dir);
  while (left.length > 0 && performance.now() < deadlineMs) {
    await sleep(POLL_MS);
    left = processesOf(dir);
  }
  const words = left.map(({ pid, command }) => `${command} with ${connectionsOf(pid)}`);
  for (const { pid } of left) end(pid);
  return words;
}

function processesOf(dir: string): { pid: number; command: string }[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).flatMap((pid) => {
    const command = textOf(`/proc/${pid}/cmdline`);
    return `${command}\0${textOf(`/proc/${pid}/environ`)}`.includes(`${dir}/`) ? [{ pid: Number(pid), command: command.replaceAll('\0', ' ') }] : [];
  });
}

/** State, bytes in the queues, and both ends of each. */
function connectionsOf(pid: number): string {
  const lines = execFileSync('ss', ['-Htanp'], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(`pid=${pid},`));
  return lines.map((line) => line.split(/\s+/).slice(0, 5).join(' ')).join(', ') || 'no connection';
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}

/** Empty where the process has ended meanwhile, or is a zombie. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
