import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { LogFields, LogLevel } from '../../../shared/src/log.ts';
import { FrameParser } from '../../../shared/src/protocol/framing.ts';
import { MAX_FRAME_BYTES, messageIdOf, parseExtensionMessage, parseHelperMessage, type HelperMessage } from '../../../shared/src/protocol/native.ts';
import { answer, refusal, welcome, type Knowledge } from './answer.ts';
import { identifyCaller } from './caller.ts';
import { decodeBody } from './messageCodec.ts';

/** What the session wants done at the edge, in this order. Nothing follows `close`. */
export type SessionCommand =
  | { readonly type: 'send'; readonly message: HelperMessage }
  /** Send it when it is there; what comes meanwhile is answered first. Never rejects. */
  | { readonly type: 'sendLater'; readonly message: Promise<HelperMessage> }
  | { readonly type: 'log'; readonly level: LogLevel; readonly message: string; readonly fields?: LogFields }
  /** Finish what was sent, then end the process with this status. */
  | { readonly type: 'close'; readonly status: number };

const STATUS_OK = 0;
const STATUS_FAILED = 1;

/**
 * One conversation with an extension, without any I/O: bytes in, commands out.
 *
 * ```
 *   awaitingHello --hello--> open --(ranks, ping)--> open
 *        |                    |
 *        +--end of input, unknown caller--> closed
 * ```
 * A message that is refused is answered with its code and the conversation goes on; only a stream that can not be followed ends it. Each method is a generator, so
 * that the edge can hold the next answer back until the last one is written.
 */
export class HostSession {
  private readonly knowledge: Knowledge;
  private readonly oversized: FirstscreenError[] = [];
  private readonly frames = new FrameParser(MAX_FRAME_BYTES, (error) => this.oversized.push(error));
  private state: 'awaitingHello' | 'open' | 'closed' = 'awaitingHello';

  constructor(knowledge: Knowledge) {
    this.knowledge = knowledge;
  }

  /** The process was started with these arguments. */
  *started(args: readonly string[]): Generator<SessionCommand, void, undefined> {
    try {
      yield { type: 'log', level: 'info', message: 'started', fields: { caller: identifyCaller(args) } };
    } catch (error) {
      yield* this.fail(error);
    }
  }

  /** Bytes have arrived from the browser. */
  *received(chunk: Uint8Array): Generator<SessionCommand, void, undefined> {
    if (this.state === 'closed') return;
    try {
      for (const body of this.frames.push(chunk)) yield* this.answerBody(body);
      // passed over unread, so nobody knows whose it was
      for (const error of this.oversized.splice(0)) yield* this.refuse(0, error);
    } catch (error) {
      yield* this.fail(error);
    }
  }

  /** The browser has closed its end: the ordinary way to stop a helper. */
  *ended(): Generator<SessionCommand, void, undefined> {
    if (this.state === 'closed') return;
    try {
      this.frames.end();
      this.state = 'closed';
      yield { type: 'close', status: STATUS_OK };
    } catch (error) {
      yield* this.fail(error);
    }
  }

  private *answerBody(body: Uint8Array): Generator<SessionCommand, void, undefined> {
    let id = 0;
    try {
      const value = decodeBody(body);
      id = messageIdOf(value);
      const reply = this.reply(value);
      if (reply === null) return;
      if (reply instanceof Promise) {
        yield { type: 'sendLater', message: reply.then(checked).catch((error: unknown) => refusal(id, codedOf(error))) };
        return;
      }
      yield { type: 'send', message: checked(reply) };
      yield { type: 'log', level: 'debug', message: 'answered', fields: { id, answer: reply.type } };
    } catch (error) {
      yield* this.refuse(id, error);
    }
  }

  private reply(value: unknown): HelperMessage | Promise<HelperMessage> | null {
    const message = parseExtensionMessage(value);
    if (this.state === 'open') return answer(message, this.knowledge);
    if (message.type !== 'hello') {
      throw new FirstscreenError('E_MESSAGE_ORDER', `The first message was ${message.type}, not hello.`, 'Say hello first.');
    }
    const reply = welcome(message, this.knowledge.proxy.hasRelay);
    this.state = 'open';
    return reply;
  }

  /** The stream can not go on: say why, as the last thing. */
  private *fail(error: unknown): Generator<SessionCommand, void, undefined> {
    this.state = 'closed';
    yield* this.refuse(0, error);
    yield { type: 'close', status: STATUS_FAILED };
  }

  private *refuse(id: number, error: unknown): Generator<SessionCommand, void, undefined> {
    const coded = codedOf(error);
    yield { type: 'log', level: 'warn', message: 'refused', fields: { id, code: coded.code, reason: coded.message } };
    yield { type: 'send', message: refusal(id, coded) };
  }
}

/** Our own answer, held to its schema like everybody's: what does not fit is our defect, not the extension's. */
function checked(reply: HelperMessage): HelperMessage {
  try {
    return parseHelperMessage(reply);
  } catch (error) {
    throw defect(error);
  }
}

function codedOf(error: unknown): FirstscreenError {
  return error instanceof FirstscreenError ? error : defect(error);
}

/** An error without a code is a defect of ours. Only its class is told: its text may hold what the extension sent. */
function defect(error: unknown): FirstscreenError {
  const name = error instanceof Error ? error.name : typeof error;
  return new FirstscreenError('E_INTERNAL', `The helper failed to answer (${name}).`, 'Report this with the helper\'s log.', { cause: error });
}
