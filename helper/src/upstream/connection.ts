import type { Dispatcher } from 'undici';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import type { PushKinds } from '../../../shared/src/relay/wire.ts';
import type { PlainFlow } from './plainFlow.ts';

/** Idle connections stay as long as browsers keep them; a server that says less is believed. */
export const KEEP_ALIVE_MS = 115_000;

/** What a request fails with that the server has taken no part of, as its connection takes none any more (RFC 9113, section 6.8). */
export const NOT_TAKEN = new Error('the connection takes no more requests');

/** What a request fails with that has not reached its server, and can not be made again here as it was: a part of its body is gone, or the server is not for us. */
export class NotSent extends Error {
  readonly reason: FirstscreenError;

  constructor(reason: FirstscreenError) {
    super('the request was not sent', { cause: reason });
    this.reason = reason;
  }
}

/** The way back of a request that has left, whose other end sends what it is given credit for. */
export interface CreditedStream {
  /** So many bytes may come that nothing was given for. */
  readonly unreadBytes: number;
  /** So many bytes more may come. */
  give(bytes: number): void;
  /** @param value of the Priority field (RFC 9218, section 4); over HTTP/1.1 nobody is told */
  prioritize(value: string): void;
}

/** The same where the other end keeps our order over all that comes, by the levels that it is told (`levelOf`). */
export interface RankedStream {
  rank(level: number): void;
}

export type SentStream = CreditedStream | RankedStream;

/** An answer whose bytes are others than those that have come over the link for it since it was asked for. */
export interface CountedOnLink {
  /** Null where some had come before. */
  readonly linkBytes: number | null;
}

/** What a relay is told of a request, and no server. */
export interface Told {
  /** Of its object when it leaves (`levelOf`). */
  readonly level: number;
  /** What of a page may be pushed; null where nothing may. */
  readonly pushes: PushKinds | null;
}

/** One connection to a server, on which requests are made. It never opens another one: the scheduler does. */
export interface UpstreamConnection {
  readonly id: number;
  readonly origin: string;
  /** Requests at once. */
  readonly slots: number;
  /** Each request is a stream of its own, which can be given up without the others. */
  readonly isH2: boolean;
  /** Its other end keeps our order of all that comes: its streams are ranked (`RankedStream`), and no server is told. */
  readonly keepsOrder: boolean;
  /** It is itself one of many ways on which order is kept, and as urgent as its requests. */
  readonly isRanked: boolean;
  /**
   * It has answered, or has waited for a first request: one that is lost now was most likely lost to the server's idle
   * time-out.
   */
  isReused: boolean;
  /** Requests are on the way. */
  readonly isBusy: boolean;
  readonly isOpen: boolean;
  /** Of this machine; empty when it is closed. */
  readonly localAddress: string;
  /** It has ended with the relay, and not by its server. */
  readonly isLostWithRelay: boolean;
  /** All that has come, so that it says whether anything has. */
  readonly receivedBytes: number;
  /** The stream of TCP beneath, where nothing but HTTP/1.1 is on it; else null. */
  readonly flow: PlainFlow | null;
  /** @param left told when the request leaves, where it is a stream */
  send(options: Dispatcher.DispatchOptions, answer: Dispatcher.DispatchHandler, left: (stream: SentStream) => void, told: Told): void;
  /** The relay beneath it is silent for so long that the direct way is worth more, where it works. */
  readonly isSilent: boolean;
  /** @param late called each time that the relay has become silent; says whether the direct way is tried for what is asked for here */
  onLate(late: () => boolean): void;
  /** The direct way has worked while the relay was silent. */
  overtaken(): void;
  /** The most urgent of its requests has this level (`levelOf`). */
  rank(level: number): void;
  /** So much of an answer has come. */
  received(bytes: number): void;
  /** One of the requests has ended, whatever way. */
  ended(): void;
  /** Finds out whether the server is there, where requests wait; ends it where it has rested for too long. @returns whether it seems to be there no more */
  check(nowMs: number): boolean;
  /** Closes it when what is on the way has ended. */
  close(): void;
  destroy(): void;
}

/**
 * Opens a connection to an origin.
 *
 * @param isPinned it is to authenticate who asks: over HTTP/1.1
 * @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT, E_UPSTREAM_TLS
 */
export type OpenConnection = (origin: string, id: number, onClosed: () => void, isPinned: boolean) => Promise<UpstreamConnection>;
