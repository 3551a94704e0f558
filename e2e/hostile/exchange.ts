import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { HostKind } from './place.ts';

/** One request as a server has got it. */
export interface Exchange {
  readonly kind: HostKind;
  readonly scheme: 'http' | 'https';
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** How many fields were named `cookie`. HTTP/1.1 allows one (RFC 6265, section 5.4). */
  readonly cookieFields: number;
  readonly body: Buffer;
  /** How often the path was asked for before. */
  readonly earlier: number;
  /** The connection; a case may keep what it knows of it, as connection-bound authentication does. */
  readonly socket: Socket;
  readonly response: ServerResponse | Http2ServerResponse;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** Answers by path: `/a.css` of the case's own host, `other/a.css` of another one. Any `*.png` that is not named is a small picture. In texts `{own}` is the origin of the own host. */
export type Site = Readonly<Record<string, Answer | ((exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>)>>;
