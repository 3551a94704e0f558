import { codeOf, coded, type FirstscreenError } from '../../../shared/src/errors.ts';
import type { ExtensionMessageOf, HelperMessage, HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { HelperConnection, type HelperConnectionHost, type Question } from './helperConnection.ts';
import { log } from './log.ts';

/** After a fault the helper is left alone for this long, doubling to the limit: it may not be installed at all. */
const RETRY_MS = 10_000;
const RETRY_LIMIT_MS = 600_000;

export type HelperState = 'connecting' | 'connected' | 'absent';

/** What each question is answered with. */
const ANSWER_TYPES = { proxy: 'proxied', intercept: 'intercepting', driver: 'driverReport' } as const satisfies Record<keyof Answers, HelperMessage['type']>;
interface Answers {
  readonly proxy: HelperMessageOf<'proxied'>['payload'];
  readonly intercept: HelperMessageOf<'intercepting'>['payload'];
  readonly driver: HelperMessageOf<'driverReport'>['payload'];
}

/** Of answers for which something has to be started, or another process asked. */
const LIMITS_MS: Partial<Record<keyof Answers, number>> = { proxy: 2_000, intercept: 2_000, driver: 500 };

export interface HelperLinkHost extends Omit<HelperConnectionHost, 'closed'> {
  /** The helper has come or gone. */
  changed(): void;
}

/**
 * The helper while there is one: connects, connects again after a fault, and makes every fault an answer that is not
 * there.
 */
export class HelperLink {
  private readonly host: HelperLinkHost;
  private connection: HelperConnection | null = null;
  private capabilities: ReadonlySet<string> = new Set();
  /** The one that is tried, or that stands: only its end is the link's. */
  private latest: HelperConnection | null = null;
  private retryMs = RETRY_MS;
  state: HelperState = 'absent';

  constructor(host: HelperLinkHost) {
    this.host = host;
  }

  connect(): void {
    this.state = 'connecting';
    const host = { ...this.host, closed: (error: FirstscreenError) => this.lost(connection, error) };
    const connection: HelperConnection = new HelperConnection(host);
    this.latest = connection;
    connection.hello(chrome.runtime.getManifest().version, navigator.userAgent.slice(0, 200)).then(
      (capabilities) => {
        this.connection = connection;
        this.capabilities = new Set(capabilities);
        this.state = 'connected';
        this.retryMs = RETRY_MS;
        this.host.changed();
      },
      // a helper that says nothing, or refuses, would stay beside the next one
      (error: unknown) => connection.disconnect(coded(error, 'The extension failed to speak with the helper.', 'Report this.')),
    );
  }

  /** Whether there is a helper that can do this (docs/protocol.md, capabilities). */
  can(capability: string): boolean {
    return this.connection !== null && this.capabilities.has(capability);
  }

  /** @returns the answer; null when there is none, or one to something else */
  async ask<T extends keyof Answers>(type: T, payload: ExtensionMessageOf<T>['payload']): Promise<Answers[T] | null> {
    if (this.connection === null) return null;
    try {
      const answer = await this.connection.request({ type, payload } as Question, LIMITS_MS[type]);
      if (answer.type === ANSWER_TYPES[type]) return answer.payload as Answers[T];
      log('warn', 'helper', 'E_MESSAGE_SCHEMA', 'the helper answered something else than what was asked');
    } catch (error) {
      log('warn', 'helper', codeOf(error), 'no answer from the helper');
    }
    return null;
  }

  /** Says what wants no answer. */
  tell<T extends 'ranks' | 'visited' | 'navigating' | 'upgraded'>(type: T, payload: ExtensionMessageOf<T>['payload']): void {
    try {
      this.connection?.tell({ type, payload } as Question);
    } catch (error) {
      log('warn', 'helper', codeOf(error), 'something was not told to the helper');
    }
  }

  private lost(connection: HelperConnection, error: FirstscreenError): void {
    if (connection !== this.latest) return;
    this.latest = null;
    this.connection = null;
    this.state = 'absent';
    log('info', 'helper', error.code, 'no helper; all goes on without');
    this.host.changed();
    setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, RETRY_LIMIT_MS);
  }
}
