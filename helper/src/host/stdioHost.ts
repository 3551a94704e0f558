import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { LogSink } from '../../../shared/src/log.ts';
import type { HostSession, SessionCommand } from './hostSession.ts';
import { encodeMessage } from './messageCodec.ts';

export interface StdioHostOptions {
  readonly session: HostSession;
  readonly args: readonly string[];
  readonly input: Readable;
  readonly output: Writable;
  readonly log: LogSink;
}

/**
 * Runs a session on two streams until it closes; gives the status to end the process with.
 *
 * Back-pressure: nothing is read, and no further answer is made, while the browser does not take the last one. So a browser that only sends costs one read of
 * input and one high-water mark of output.
 */
export async function serveStdio({ session, args, input, output, log }: StdioHostOptions): Promise<number> {
  const edge = new OutputEdge(output, log);
  let status = await edge.perform(session.started(args));
  if (status !== null) return status;
  for await (const chunk of input) {
    status = await edge.perform(session.received(chunk as Uint8Array));
    if (status !== null) return status;
  }
  return (await edge.perform(session.ended())) ?? STATUS_BROWSER_GONE;
}

/** The browser is gone, which is how a helper's life ends. */
const STATUS_BROWSER_GONE = 0;
/** A helper that is done must not stay because the browser does not read its last words. */
const FLUSH_LIMIT_MS = 1000;

class OutputEdge {
  private readonly output: Writable;
  private readonly log: LogSink;
  private gone = false;

  constructor(output: Writable, log: LogSink) {
    this.output = output;
    this.log = log;
    // EPIPE: the browser went first; every other failure of a pipe means the same to us
    output.on('error', () => (this.gone = true));
  }

  /** Gives the status once the session has closed, null while it goes on. */
  async perform(commands: Iterable<SessionCommand>): Promise<number | null> {
    for (const command of commands) {
      if (this.gone) return STATUS_BROWSER_GONE;
      switch (command.type) {
        case 'log': {
          const { level, message, fields } = command;
          this.log({ level, scope: 'host', message, ...(fields && { fields }) });
          break;
        }
        case 'send':
          if (!this.output.write(encodeMessage(command.message))) await this.drained();
          break;
        case 'close':
          await this.flushed();
          return command.status;
      }
    }
    return null;
  }

  private async drained(): Promise<void> {
    if (this.gone) return;
    await once(this.output, 'drain').catch(() => (this.gone = true));
  }

  /** Until the last answer is written, can not be written, or nobody has taken it for too long. */
  private async flushed(): Promise<void> {
    await new Promise<void>((resolve) => {
      setTimeout(resolve, FLUSH_LIMIT_MS).unref();
      this.output.write('', () => resolve());
    });
  }
}
