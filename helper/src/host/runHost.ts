import { createLogSink, logLevelOf } from '../logSink.ts';
import { planPrioritizedFetching } from '../../../shared/src/scheduling/plan.ts';
import { claimStdout } from './claimStdout.ts';
import { HostSession } from './hostSession.ts';
import { serveStdio } from './stdioHost.ts';

/**
 * Runs the native messaging host on this process's streams until the browser closes them.
 *
 * @param args what the browser appended to the command: see identifyCaller
 * @returns the status to end the process with: 0 after end-of-file
 */
export async function runHost(args: readonly string[]): Promise<number> {
  const log = createLogSink({ stream: process.stderr, level: logLevelOf(process.env), now: () => new Date() });
  // logging must outlive a reader who closes standard error
  process.stderr.on('error', () => undefined);
  const output = claimStdout(log);
  const session = new HostSession(planPrioritizedFetching);
  const status = await serveStdio({ session, args, input: process.stdin, output, log });
  log({ level: 'info', scope: 'host', message: 'ended', fields: { status } });
  return status;
}
