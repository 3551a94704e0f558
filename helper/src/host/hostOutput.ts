import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogSink } from '../../../shared/src/log.ts';
import type { HelperMessage } from '../../../shared/src/protocol/native.ts';
import type { SessionCommand } from './hostSession.ts';
import { encodeMessage } from './messageCodec.ts';

/** The browser is gone, which is how a helper's life ends. */
export const STATUS_BROWSER_GONE = 0;
/** A helper that is done must not stay because the browser does not read its last words. */
const FLUSH_LIMIT_MS = 1000;

/** The browser's end of the conversation. */
export class HostOutput {
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
      if (command.type === 'log') {
        const { level, message, fields } = command;
        this.log({ level, scope: 'host', message, ...(fields && { fields }) });
      } else if (command.type === 'sendLater') void command.message.then((message) => this.say(message));
      else if (command.type === 'send') {
        if (!this.say(command.message)) await once(this.output, 'drain').catch(() => (this.gone = true));
      } else {
        // until the last answer is written, can not be written, or nobody has taken it for too long
        await Promise.race([new Promise<void>((resolve) => this.output.write('', () => resolve())), sleep(FLUSH_LIMIT_MS, undefined, { ref: false })]);
        return command.status;
      }
    }
    return null;
  }

  /** Whether the browser has not taken yet what was said: what can wait, or be lost, is not said now. */
  get isFull(): boolean {
    return this.output.writableNeedDrain;
  }

  /** @returns false when the browser should be given time to take it */
  say(message: HelperMessage): boolean {
    return this.gone || this.output.write(encodeMessage(message));
  }
}
