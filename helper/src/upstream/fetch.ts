import type { Readable } from 'node:stream';
import type { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { PushKinds } from '../../../shared/src/relay/wire.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** A connection of the browser's, as far as it matters to its requests. */
export interface BrowserConnection {
  once(event: 'close', closed: () => void): unknown;
}

/** A request as it goes to the server. */
export interface UpstreamRequest {
  readonly method: string;
  /** Scheme, host, port. */
  readonly origin: string;
  readonly path: string;
  /** End to end only, with `Host`. */
  readonly headers: RawHeaders;
  /** A buffer can be sent again where the server has taken no part of it. */
  readonly body: Readable | Buffer | null;
  /** Where the browser has asked; null when it has not. */
  readonly browser: BrowserConnection | null;
  readonly fetchClass: FetchClass;
  readonly isImage?: boolean;
  /** Order in its document. */
  readonly index: number;
  /** Expected size of the answer. */
  readonly bytes: number;
  /** Of what is foreseen: the Priority field that the browser is expected to send (RFC 9218); nothing where that is not known. */
  readonly expectedPriority?: string | null;
  /** Of a page: what its document names that a relay may send unasked; nothing where it is not said. */
  readonly pushes?: PushKinds;
  /** The browser is expected to ask for it, and has not. */
  readonly isForeseen: boolean;
}

/** Takes an answer as it comes. Exactly one of `ended` and `failed` is called, last. */
export interface ResponseSink {
  /** 1xx: any number of times before `started` (RFC 9110, section 15.2). */
  informed(status: number, headers: RawHeaders): void;
  started(status: number, statusText: string, headers: RawHeaders): void;
  /** @returns a promise when no more may come before it is resolved */
  data(chunk: Buffer): Promise<void> | null;
  ended(trailers: RawHeaders): void;
  /**
   * @param wasSent whether the server may have got the request. If not, it can be made again another way without being made twice
   */
  failed(error: FirstscreenError, wasSent: boolean): void;
}

/** A request that is waiting or on its way. */
export interface Fetch {
  /** Ranks it anew, if it was not sent yet. */
  rank(fetchClass: FetchClass): void;
  /** The browser waits for it now, with this class at least. @param priority its Priority field; null for none */
  await(fetchClass: FetchClass, priority: string | null): void;
  /** Sends these fields in place of its own, if it was not sent yet. @returns whether it will */
  revise(headers: RawHeaders): boolean;
  /** Nobody wants the answer any more; the sink hears nothing. */
  cancel(): void;
}

/** A sink that passes everything on, to change one of its methods. */
export function passing(sink: ResponseSink): ResponseSink {
  return {
    informed: (status, headers) => sink.informed(status, headers),
    started: (status, statusText, headers) => sink.started(status, statusText, headers),
    data: (chunk) => sink.data(chunk),
    ended: (trailers) => sink.ended(trailers),
    failed: (error, wasSent) => sink.failed(error, wasSent),
  };
}

/** What a browser may understand all the same. */
export function unreadableAnswer(cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_UPSTREAM_ANSWER', 'What the server answers can not be read or passed on here.', 'The browser is asked to try itself.', { cause });
}
