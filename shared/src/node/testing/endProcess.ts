import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a process, unless it has ended, and settles when it has. */
export async function endProcess(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
