import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { FrameParser } from '../../../shared/src/protocol/framing.ts';
import { MAX_FRAME_BYTES, PROTOCOL_VERSION, parseHelperMessage, type ExtensionMessage, type HelperMessage } from '../../../shared/src/protocol/native.ts';
import { decodeBody, encodeMessage } from '../host/messageCodec.ts';
import { HELPER_VERSION } from '../version.ts';

/** How a process ended. */
export interface Exit {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starting Node on a slow, busy machine takes seconds. */
const ANSWER_LIMIT_MS = 10_000;

/**
 * The browser's side of the protocol, for a helper process of our own: `doctor` and the tests speak through it. Answers come in the order of the questions.
 */
export class HelperClient {
  /** Settles when the process has ended and its output is read. */
  readonly exited: Promise<Exit>;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly frames = new FrameParser(MAX_FRAME_BYTES);
  private readonly messages: AsyncGenerator<HelperMessage, void, undefined>;
  private stderrText = '';

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    this.child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderrText += text));
    // a process that ends while it is written to; the missing answer tells
    this.child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve, reject) => {
      this.child.on('error', (cause) => reject(unavailable('could not be started', cause)));
      this.child.on('close', (status, signal) => resolve({ status, signal }));
    });
    // whoever waits for an answer or for the end is told; nobody has to
    this.exited.catch(() => undefined);
    this.messages = this.readMessages();
  }

  /** What the process has logged so far. */
  get log(): string {
    return this.stderrText;
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Opens the conversation. @throws FirstscreenError with the helper's own code when it refuses, and as `receive` */
  async hello(): Promise<Extract<HelperMessage, { type: 'welcome' }>> {
    const answer = await this.ask({
      v: PROTOCOL_VERSION,
      id: 0,
      type: 'hello',
      payload: { protocols: [PROTOCOL_VERSION], extensionVersion: HELPER_VERSION, browser: 'none', capabilities: [] },
    });
    if (answer.type === 'welcome') return answer;
    if (answer.type === 'error') throw new FirstscreenError(answer.payload.code, answer.payload.message, answer.payload.next);
    throw unavailable(`answered hello with ${answer.type}`);
  }

  /** Says one thing and waits for its answer. */
  async ask(message: ExtensionMessage): Promise<HelperMessage> {
    await this.write(encodeMessage(message));
    return this.receive();
  }

  /** Sends bytes as they are, for what `ask` would not say. Settles when the pipe can take more. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.child.stdin.write(bytes)) await Promise.race([once(this.child.stdin, 'drain'), this.exited]);
  }

  /** The next message. @throws FirstscreenError E_HELPER_TIMEOUT, E_HELPER_UNAVAILABLE when the process ends instead, and as parseHelperMessage */
  async receive(): Promise<HelperMessage> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new FirstscreenError('E_HELPER_TIMEOUT', `The helper gave no answer within ${ANSWER_LIMIT_MS} ms.`, 'Look at its log.')), ANSWER_LIMIT_MS);
    });
    try {
      const next = await Promise.race([this.messages.next(), limit]);
      if (next.done !== true) return next.value;
      const { status, signal } = await this.exited;
      throw unavailable(`ended with ${signal ?? `status ${status}`} instead of answering`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes the helper's input, as a browser does when it wants it gone, and waits for its end. */
  async close(): Promise<Exit> {
    this.child.stdin.end();
    this.child.stdout.resume();
    return this.exited;
  }

  /** Closes our end of the helper's output, as a browser does when it dies. */
  dropOutput(): void {
    this.child.stdout.destroy();
  }

  /** Closes the helper's input and waits for nothing. */
  endInput(): void {
    this.child.stdin.destroy();
  }

  /** Ends the process at once; what a launcher has started ends with its input. */
  kill(): void {
    this.child.kill('SIGKILL');
    this.endInput();
  }

  private async *readMessages(): AsyncGenerator<HelperMessage, void, undefined> {
    for await (const chunk of this.child.stdout) {
      for (const body of this.frames.push(chunk as Uint8Array)) yield parseHelperMessage(decodeBody(body));
    }
    this.frames.end();
  }
}

function unavailable(what: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_HELPER_UNAVAILABLE', `The helper ${what}.`, 'Run "firstscreen-helper doctor", or install it again.', { cause });
}
