import { FirstscreenError, codeOf, coded } from '../../../shared/src/errors.ts';
import { MAX_FRAME_BYTES, NATIVE_HOST_NAME, PROTOCOL_VERSION, parseHelperMessage, type ExtensionMessageOf, type HelperMessage, type HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { misfitOf } from '../../../shared/src/protocol/releaseFit.ts';
import type { HelperMisfit } from '../messages/status.ts';
import { Backoff } from './backoff.ts';
import { log } from './log.ts';

/** Node has to start, on a machine that is busy starting a browser. */
const HELLO_LIMIT_MS = 5_000;
/** No answer carries it. */
const UNANSWERED_ID = 0;
const utf8 = new TextEncoder();

/** `notHere`: this browser starts no helpers, so there never is one. */
export type HelperState = 'connecting' | 'connected' | 'absent' | 'notHere';

/** What each question is answered with. */
const ANSWER_TYPES = { proxy: 'proxied', intercept: 'intercepting', driver: 'driverReport', remembered: 'rememberedSites', forget: 'forgotten', historyRemoved: 'forgotten', closeConnections: 'connectionsClosed', network: 'knownNetwork' } as const satisfies Record<keyof Answers, HelperMessage['type']>;
interface Answers {
  readonly proxy: HelperMessageOf<'proxied'>['payload'];
  readonly intercept: HelperMessageOf<'intercepting'>['payload'];
  readonly driver: HelperMessageOf<'driverReport'>['payload'];
  readonly remembered: HelperMessageOf<'rememberedSites'>['payload'];
  readonly forget: HelperMessageOf<'forgotten'>['payload'];
  readonly historyRemoved: HelperMessageOf<'forgotten'>['payload'];
  readonly closeConnections: HelperMessageOf<'connectionsClosed'>['payload'];
  readonly network: HelperMessageOf<'knownNetwork'>['payload'];
}

/** Something has to be started for an answer, another process asked, or a file read or written. */
const LIMITS_MS: Readonly<Record<keyof Answers, number>> = { proxy: 2_000, intercept: 2_000, driver: 500, remembered: 2_000, forget: 5_000, historyRemoved: 5_000, closeConnections: 5_000, network: 500 };

interface Pending extends PromiseWithResolvers<HelperMessage> {
  readonly timer: ReturnType<typeof setTimeout>;
}

export interface HelperLinkHost {
  /** The helper has come or gone. */
  changed(): void;
  /** The helper asks that the browser go to a host itself. @returns whether it does from now on */
  leave(host: string): Promise<boolean>;
  /** The round trip of the link seems to be another, in milliseconds. */
  link(link: HelperMessageOf<'link'>['payload']): void;
  /** The machine is in another network. */
  networkChanged(): void;
  /** The ways of requests, told while the helper records. */
  requests(requests: HelperMessageOf<'requests'>['payload']): void;
}

/**
 * The helper while there is one, over a native-messaging port: requests with answers, a time limit for each. Any fault
 * closes the port for good, and is an answer that is not there; after a while there is another port.
 */
export class HelperLink {
  private readonly host: HelperLinkHost;
  /** The one that is tried, or that stands: only its end is the link's. */
  private port: chrome.runtime.Port | null = null;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private capabilities: ReadonlySet<string> = new Set();
  /** After a fault: it may not be installed at all. */
  private readonly backoff = new Backoff();
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** Settles when it is known whether the latest attempt has found a helper. */
  private attempt: Promise<void> = Promise.resolve();
  state: HelperState = 'absent';
  /** Of the helper that is there. */
  version: string | null = null;
  /** Why the helper, the one that is there or the one that refused, is of another release than it should be; null where it fits, or there is none. */
  misfit: HelperMisfit | null = null;

  constructor(host: HelperLinkHost) {
    this.host = host;
  }

  connect(): void {
    const { connectNative } = chrome.runtime as Partial<typeof chrome.runtime>;
    // Firefox for Android
    if (connectNative === undefined) {
      this.state = 'notHere';
      return;
    }
    this.state = 'connecting';
    const port = connectNative(NATIVE_HOST_NAME);
    this.port = port;
    port.onMessage.addListener((input: unknown) => this.receive(port, input));
    port.onDisconnect.addListener(() => {
      const cause = chrome.runtime.lastError?.message ?? 'the helper ended';
      this.lost(port, new FirstscreenError('E_HELPER_UNAVAILABLE', `The connection to the helper closed: ${cause}`, 'Run: firstscreen-helper doctor'));
    });
    this.attempt = this.greet(port);
  }

  /**
   * Looks for a helper that is absent now, and not when its time comes: a person may just have installed one.
   *
   * @returns when it is known whether there is one
   */
  async look(): Promise<void> {
    if (this.state === 'absent') {
      clearTimeout(this.retry);
      // to have looked in vain makes no later attempt later
      this.backoff.end();
      this.connect();
    }
    await this.attempt;
  }

  /** Has another helper started in the place of the one that is there, which ends when nothing goes by it any more (docs/adr/0032). */
  async renew(): Promise<void> {
    if (this.port !== null && this.state === 'connected') this.disconnect(this.port, new FirstscreenError('E_HELPER_UNAVAILABLE', 'The helper was told to end, for another one to start.', 'Nothing has to be done.'));
    await this.look();
  }

  /** Whether there is a helper that can do this (docs/protocol.md, capabilities). */
  can(capability: string): boolean {
    return this.state === 'connected' && this.capabilities.has(capability);
  }

  /** @returns the answer; null when there is none, or one to something else */
  async ask<T extends keyof Answers>(type: T, payload: ExtensionMessageOf<T>['payload']): Promise<Answers[T] | null> {
    if (this.state !== 'connected') return null;
    try {
      const answer = await this.request(type, payload, LIMITS_MS[type]);
      if (answer.type === ANSWER_TYPES[type]) return answer.payload as Answers[T];
      log('warn', 'helper', 'E_MESSAGE_SCHEMA', 'the helper answered something else than what was asked');
    } catch (error) {
      log('warn', 'helper', codeOf(error), 'no answer from the helper');
    }
    return null;
  }

  /** Says what wants no answer. */
  tell<T extends 'ranks' | 'asking' | 'visited' | 'navigating' | 'pointed' | 'upgraded' | 'tunnelOnly' | 'saveData' | 'record' | 'judged'>(type: T, payload: ExtensionMessageOf<T>['payload']): void {
    if (this.state !== 'connected') return;
    try {
      this.post({ v: PROTOCOL_VERSION, id: UNANSWERED_ID, type, payload });
    } catch (error) {
      log('warn', 'helper', codeOf(error), 'something was not told to the helper');
    }
  }

  private async greet(port: chrome.runtime.Port): Promise<void> {
    try {
      // the helper needs to know nothing of the browser
      const hello = { protocols: [PROTOCOL_VERSION], extensionVersion: ownVersion(), browser: '', capabilities: [] };
      const answer = await this.request('hello', hello, HELLO_LIMIT_MS);
      if (port !== this.port) return;
      this.capabilities = new Set(answer.type === 'welcome' ? answer.payload.capabilities : []);
      this.version = answer.type === 'welcome' ? answer.payload.helperVersion : null;
      this.misfit = answer.type === 'welcome' ? misfitWith(answer.payload.helperVersion) : null;
      this.state = 'connected';
      this.backoff.end();
      this.host.changed();
    } catch (error) {
      // a helper that says nothing, or refuses, would stay beside the next one
      this.disconnect(port, coded(error, 'The extension failed to speak with the helper.', 'Report this.'));
    }
  }

  /**
   * @throws FirstscreenError E_FRAME_TOO_LARGE, E_HELPER_TIMEOUT, E_HELPER_UNAVAILABLE, or the code that the helper
   * answered with
   */
  private async request<T extends keyof Answers | 'hello'>(type: T, payload: ExtensionMessageOf<T>['payload'], limitMs: number): Promise<HelperMessage> {
    const id = this.nextId++;
    // first: where it can not be sent, nothing waits for an answer
    this.post({ v: PROTOCOL_VERSION, id, type, payload });
    const answer = Promise.withResolvers<HelperMessage>();
    const timer = setTimeout(() => {
      this.pending.delete(id);
      answer.reject(new FirstscreenError('E_HELPER_TIMEOUT', `The helper did not answer "${type}" within ${limitMs} ms.`, 'Run: firstscreen-helper doctor'));
    }, limitMs);
    this.pending.set(id, { ...answer, timer });
    return answer.promise;
  }

  private post(message: object): void {
    const { length } = utf8.encode(JSON.stringify(message));
    if (length > MAX_FRAME_BYTES) throw new FirstscreenError('E_FRAME_TOO_LARGE', `A message of ${length} bytes to the helper is over the limit of ${MAX_FRAME_BYTES} bytes; it was not sent.`, 'Nothing has to be done: the page goes on without it.');
    this.port?.postMessage(message);
  }

  private receive(port: chrome.runtime.Port, input: unknown): void {
    let message: HelperMessage;
    try {
      message = parseHelperMessage(input);
    } catch (error) {
      // a helper that does not speak the protocol is not asked again
      this.disconnect(port, coded(error, 'The extension failed to read what the helper said.', 'Report this.'));
      return;
    }
    if (message.type === 'leave') void this.answerLeave(port, message.id, message.payload.host);
    else if (message.type === 'link') this.host.link(message.payload);
    else if (message.type === 'networkChanged') this.host.networkChanged();
    else if (message.type === 'requests') this.host.requests(message.payload);
    else this.settle(message);
  }

  private settle(message: HelperMessage): void {
    const pending = this.pending.get(message.id);
    // an answer that came after its time limit
    if (pending === undefined) return;
    this.pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.type === 'error') pending.reject(new FirstscreenError(message.payload.code, message.payload.message, message.payload.next));
    else pending.resolve(message);
  }

  private async answerLeave(port: chrome.runtime.Port, id: number, host: string): Promise<void> {
    const done = await this.host.leave(host).catch(() => false);
    if (port === this.port) port.postMessage({ v: PROTOCOL_VERSION, id, type: 'left', payload: { done } });
  }

  /** Ends the helper's process with the port: its life is that of its input. */
  private disconnect(port: chrome.runtime.Port, error: FirstscreenError): void {
    port.disconnect();
    this.lost(port, error);
  }

  private lost(port: chrome.runtime.Port, error: FirstscreenError): void {
    if (port !== this.port) return;
    this.port = null;
    this.state = 'absent';
    this.version = null;
    this.misfit = error.code === 'E_PROTOCOL_VERSION' ? { kind: 'protocol', extension: ownVersion(), helper: '' } : null;
    for (const { reject, timer } of this.pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.pending.clear();
    log('info', 'helper', error.code, 'no helper; all goes on without');
    this.host.changed();
    this.retry = setTimeout(() => this.connect(), this.backoff.begin(Date.now()));
  }
}

function misfitWith(helper: string): HelperMisfit | null {
  const releases = { extension: ownVersion(), helper };
  const kind = misfitOf(releases);
  return kind === null ? null : { kind, ...releases };
}

function ownVersion(): string {
  return chrome.runtime.getManifest().version;
}
