import type { Dispatcher } from 'undici';
import { KEEP_ALIVE_MS, type SentStream, type Told, type UpstreamConnection } from '../upstream/connection.ts';
import { RelayedRequest, type RelayedHost } from './relayedRequest.ts';
import type { RequestCarrier } from './requestCarrier.ts';

/** As many as the relay makes at once for one client: it says no to more. */
const STREAMS = 256;

/**
 * Requests to one server that the relay makes (terminated mode): each is a stream of the carrier, so it is open at once,
 * and costs no handshake on the link. What the relay refuses to do is its end: what was asked of it and has not gone on
 * to the server is asked again, on a connection of the helper's own.
 */
export class RelayedConnection implements UpstreamConnection {
  readonly id: number;
  readonly origin: string;
  readonly slots = STREAMS;
  readonly isH2 = true;
  readonly keepsOrder = true;
  readonly flow = null;
  readonly isRanked = false;
  /** From the first request on: what the relay loses it makes again by itself where a server's time-out was met. */
  isReused = true;
  receivedBytes = 0;
  private readonly carrier: RequestCarrier;
  readonly host: RelayedHost;
  private readonly requests = new Set<RelayedRequest>();
  private sending = 0;
  private restsSinceMs = performance.now();
  private isEnded = false;
  private readonly onClosed: () => void;
  private readonly unwatch: () => void;
  private stopListening: () => void = () => undefined;

  /**
   * @param onClosed nothing more may be sent on it
   * @param host hears how the server is doing through the relay
   */
  constructor(id: number, origin: string, carrier: RequestCarrier, onClosed: () => void, host: RelayedHost) {
    this.id = id;
    this.origin = origin;
    this.carrier = carrier;
    this.onClosed = onClosed;
    this.host = host;
    this.unwatch = carrier.onClosed(() => this.end());
  }

  get isOpen(): boolean {
    return !this.isEnded && this.carrier.isOpen && this.host.isUsable();
  }

  get isBusy(): boolean {
    return this.sending > 0;
  }

  get localAddress(): string {
    return this.carrier.localAddress;
  }

  get isLostWithRelay(): boolean {
    return !this.carrier.isOpen;
  }

  send(options: Dispatcher.DispatchOptions, answer: Dispatcher.DispatchHandler, left: (stream: SentStream) => void, told: Told): void {
    this.sending += 1;
    const request = new RelayedRequest(this.origin, options, answer, {
      ...this.host,
      isUsable: () => this.isOpen,
      // first, so that what is made again comes on another connection
      refused: (code) => {
        this.host.refused(code);
        this.end();
      },
    });
    this.requests.add(request);
    request.start(this.carrier, told, left, () => this.requests.delete(request));
  }

  get isSilent(): boolean {
    return this.isBusy && this.carrier.isSilent;
  }

  onLate(late: () => boolean): void {
    this.stopListening = this.carrier.onLate(late);
  }

  overtaken(): void {
    this.carrier.overtaken();
  }

  /** Its streams are, each. */
  rank(): void {}

  received(bytes: number): void {
    this.receivedBytes += bytes;
  }

  ended(): void {
    this.sending -= 1;
    this.settle();
  }

  /** The carrier is looked after as a whole; but each server that was ever asked would be looked through at each event. */
  check(nowMs: number): boolean {
    if (this.isBusy) this.restsSinceMs = nowMs;
    else if (nowMs >= this.restsSinceMs + KEEP_ALIVE_MS) this.end();
    return false;
  }

  close(): void {
    this.end();
  }

  destroy(): void {
    this.end();
    for (const request of [...this.requests]) request.abort(new Error('the connection was given up'));
  }

  private end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.unwatch();
    this.settle();
    this.onClosed();
  }

  /** The silence of the relay is of no interest any more. */
  private settle(): void {
    if (this.isEnded && !this.isBusy) this.stopListening();
  }
}
