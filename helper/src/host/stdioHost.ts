import type { Readable } from 'node:stream';
import { STATUS_BROWSER_GONE, type HostOutput } from './hostOutput.ts';
import type { HostSession } from './hostSession.ts';

export interface StdioHostOptions {
  readonly session: HostSession;
  readonly args: readonly string[];
  readonly input: Readable;
  readonly output: HostOutput;
}

/**
 * Runs a session on two streams until it closes; gives the status to end the process with.
 *
 * Back-pressure: nothing is read, and no further answer is made, while the browser does not take the last one. So a browser that only sends costs one read of
 * input and one high-water mark of output.
 */
export async function serveStdio({ session, args, input, output }: StdioHostOptions): Promise<number> {
  let status = await output.perform(session.started(args));
  if (status !== null) return status;
  for await (const chunk of input) {
    status = await output.perform(session.received(chunk as Uint8Array));
    if (status !== null) return status;
  }
  return (await output.perform(session.ended())) ?? STATUS_BROWSER_GONE;
}
