import { FirstscreenError } from '../../../shared/src/errors.ts';
import {
  MAX_FRAME_BYTES,
  NATIVE_HOST_NAME,
  PROTOCOL_VERSION,
  parseHelperMessage,
  type ExtensionMessage,
  type HelperMessage,
} from '../../../shared/src/protocol/native.ts';

/**
 * The helper is a process on this machine that answers in under a millisecond; later than this it only delays the page.
 */
const ANSWER_LIMIT_MS = 50;
/** Node has to start, on a machine that is busy starting a browser. */
const HELLO_LIMIT_MS = 5_000;

/** No answer carries it. */
const UNANSWERED_ID = 0;
const utf8 = new TextEncoder();

/** A message without its envelope. */
export type Question<T extends ExtensionMessage = ExtensionMessage> = T extends ExtensionMessage ? Pick<T, 'type' | 'payload'> : never;

interface Pending {
  readonly resolve: (message: HelperMessage) => void;
  readonly reject: (error: FirstscreenError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

export interface HelperConnectionHost {
  closed(error: FirstscreenError): void;
  /** The helper asks that the browser go to a host itself. @returns whether it does from now on */
  leave(host: string): Promise<boolean>;
  /** The round trip of the link seems to be another, in milliseconds. */
  roundTrip(rttMs: number): void;
}

/**
 * One native-messaging port to the helper: requests with answers, a time limit for each. Any fault closes it for good.
 */
export class HelperConnection {
  private readonly port: chrome.runtime.Port;
  private readonly pending = new Map<number, Pending>();
  private readonly host: HelperConnectionHost;
  private nextId = 1;
  private closed: FirstscreenError | null = null;

  constructor(host: HelperConnectionHost) {
    this.host = host;
    this.port = chrome.runtime.connectNative(NATIVE_HOST_NAME);
    this.port.onMessage.addListener((input: unknown) => this.receive(input));
    this.port.onDisconnect.addListener(() => {
      const cause = chrome.runtime.lastError?.message ?? 'the helper ended';
      this.close(new FirstscreenError('E_HELPER_UNAVAILABLE', `The connection to the helper closed: ${cause}`, 'Run: firstscreen-helper doctor'));
    });
  }

  /** @returns the helper's capabilities. @throws FirstscreenError when the versions do not fit or nothing answers */
  async hello(extensionVersion: string, browser: string): Promise<readonly string[]> {
    const answer = await this.request({ type: 'hello', payload: { protocols: [PROTOCOL_VERSION], extensionVersion, browser, capabilities: [] } }, HELLO_LIMIT_MS);
    return answer.type === 'welcome' ? answer.payload.capabilities : [];
  }

  /** Ends the helper's process with the port: its life is that of its input. */
  disconnect(error: FirstscreenError): void {
    this.port.disconnect();
    this.close(error);
  }

  /** Says what wants no answer. @throws FirstscreenError E_FRAME_TOO_LARGE, E_HELPER_UNAVAILABLE */
  tell(body: Question): void {
    if (this.closed !== null) throw this.closed;
    this.post({ v: PROTOCOL_VERSION, id: UNANSWERED_ID, ...body });
  }

  /**
   * @throws FirstscreenError E_FRAME_TOO_LARGE, E_HELPER_TIMEOUT, E_HELPER_UNAVAILABLE, or the code that the helper
   * answered with
   */
  request(body: Question, limitMs = ANSWER_LIMIT_MS): Promise<HelperMessage> {
    if (this.closed !== null) return Promise.reject(this.closed);
    const id = this.nextId;
    this.nextId += 1;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.pending.delete(id);
        reject(new FirstscreenError('E_HELPER_TIMEOUT', `The helper did not answer "${body.type}" within ${limitMs} ms.`, 'Run: firstscreen-helper doctor'));
      }, limitMs);
      this.pending.set(id, { resolve, reject, timer });
      this.post({ v: PROTOCOL_VERSION, id, ...body });
    });
  }

  private post(message: object): void {
    const { length } = utf8.encode(JSON.stringify(message));
    if (length > MAX_FRAME_BYTES) throw new FirstscreenError('E_FRAME_TOO_LARGE', `A message of ${length} bytes to the helper is over the limit of ${MAX_FRAME_BYTES} bytes; it was not sent.`, 'Nothing has to be done: the page goes on without it.');
    this.port.postMessage(message);
  }

  private receive(input: unknown): void {
    let message: HelperMessage;
    try {
      message = parseHelperMessage(input);
    } catch (error) {
      if (!(error instanceof FirstscreenError)) throw error;
      // a helper that does not speak the protocol is not asked again
      this.disconnect(error);
      return;
    }
    if (message.type === 'leave') {
      void this.answerLeave(message.id, message.payload.host);
      return;
    }
    if (message.type === 'link') {
      this.host.roundTrip(message.payload.rttMs);
      return;
    }
    const pending = this.pending.get(message.id);
    // an answer that came after its time limit
    if (pending === undefined) return;
    this.pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.type === 'error') pending.reject(new FirstscreenError(message.payload.code, message.payload.message, message.payload.next));
    else pending.resolve(message);
  }

  private async answerLeave(id: number, host: string): Promise<void> {
    const done = await this.host.leave(host).catch(() => false);
    if (this.closed === null) this.port.postMessage({ v: PROTOCOL_VERSION, id, type: 'left', payload: { done } });
  }

  private close(error: FirstscreenError): void {
    if (this.closed !== null) return;
    this.closed = error;
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.pending.clear();
    this.host.closed(error);
  }
}
