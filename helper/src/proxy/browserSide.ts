import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { endToEnd, groupedFields, pairsOf, valueOf, valuesOf, withJoinedCookies, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { BrowserConnection } from '../upstream/fetch.ts';

/** One request of the browser and the way back, whatever version of HTTP it speaks. */
export interface BrowserSide {
  readonly method: string;
  /** For the next connection: end to end only, with `Host`. */
  readonly fields: RawHeaders;
  readonly body: Readable | null;
  readonly connection: BrowserConnection;
  /** Takes the bytes of the answer. */
  readonly sink: Writable;
  /** Whether nobody takes the answer any more. */
  readonly isGone: boolean;
  /**
   * Leaves the server to a tunnel from the browser's next connection on, which is soon; null where no tunnel can stand
   * in.
   */
  readonly stepAside: (() => void) | null;
  /** Passes on what comes before the answer (1xx), where Node can send it. */
  informed(status: number, headers: RawHeaders): void;
  /** @returns false for a field that Node would not send: what the browser would have made of it is its own business */
  head(status: number, statusText: string, headers: RawHeaders): boolean;
  trailers(fields: RawHeaders): void;
  /** Ends the answer so that the browser does not take it for whole. */
  cutOff(): void;
  /** Once: the answer has been taken whole, or is wanted no more. */
  onClose(closed: (isWhole: boolean) => void): void;
}

const PROCESSING = 102;
const EARLY_HINTS = 103;
const FIRST_ERROR = 400;
const LAST_STATUS = 599;

/** @param leave has the server's next connections made into tunnels; null where that can not be */
export function http1Side(request: IncomingMessage, response: ServerResponse, leave: (() => void) | null = null): BrowserSide {
  response.sendDate = false;
  const { headers } = request;
  return {
    method: request.method ?? 'GET',
    fields: endToEnd(request.rawHeaders),
    // RFC 9112, section 6
    body: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0 ? bodyOf(request, response) : null,
    connection: request.socket,
    sink: response,
    get isGone() {
      return response.destroyed;
    },
    stepAside:
      leave &&
      (() => {
        leave();
        response.shouldKeepAlive = false;
      }),
    informed: (status, fields) =>
      void isSent(() => {
        if (status === EARLY_HINTS) response.writeEarlyHints(groupedFields(endToEnd(fields)));
        else if (status === PROCESSING) response.writeProcessing();
      }),
    head: (status, statusText, fields) => {
      const passed = endToEnd(fields);
      // of trailers Node lets an answer say only where it has chunks
      const isHead = [passed, without(passed, 'trailer')].some((each) => isSent(() => response.writeHead(status, statusText, each)));
      // what comes with the fields goes with them, in one packet
      setImmediate(() => {
        if (isHead && !response.writableEnded) response.flushHeaders();
      });
      return isHead;
    },
    trailers: (fields) => {
      const pairs = pairsOf(endToEnd(fields));
      if (pairs.length > 0) response.addTrailers(pairs);
    },
    cutOff: () => void response.destroy(),
    onClose: (closed) => void response.once('close', () => closed(response.writableFinished)),
  };
}

/** Without a date of ours; the types do not know that option. */
const AS_IT_CAME = { waitForTrailers: true, sendDate: false };
/** Of what a script fetches: it alone can read the words of a status. */
const SCRIPTS_OWN = 'empty';
/** Words of nginx and Apache for what `STATUS_CODES` calls otherwise, most of them those of RFC 2616. */
const USUAL_WORDS: ReadonlySet<string> = new Set([
  'request time-out', 'request entity too large', 'request-uri too large', 'request-uri too long', 'requested range not satisfiable', 'service temporarily unavailable', 'gateway time-out',
]);

/**
 * Whether a server says by the words of an error what its page may show, as "Name already exists". HTTP/2 has no place for
 * them (RFC 9113, section 8.3.2).
 */
function saysMore(status: number, words: string): boolean {
  const said = words.trim().toLowerCase();
  return status >= FIRST_ERROR && said !== '' && said !== STATUS_CODES[status]?.toLowerCase() && !USUAL_WORDS.has(said);
}

/** As `stream.respond` takes it: Node checks it as a number, up to 599, and sends it as text. Browsers take any of three digits (RFC 9110, section 15), as LinkedIn's 999. */
function statusOf(status: number): string {
  return status <= LAST_STATUS ? String(status) : ({ valueOf: () => LAST_STATUS, toString: () => String(status) } as unknown as string);
}

/**
 * @param leave as for `http1Side`; it ends the session, too
 * @param leaveQuietly the same, when nothing comes on the session any more
 */
export function http2Side(request: Http2ServerRequest, response: Http2ServerResponse, leave: (() => void) | null = null, leaveQuietly: (() => void) | null = null): BrowserSide {
  const { stream } = request;
  // it is gone with its stream
  const session = stream.session ?? stream;
  // `:authority` is what `Host` says elsewhere (RFC 9113, section 8.3.1); the other fields of HTTP/2's own go
  const plain = withJoinedCookies(endToEnd(request.rawHeaders).filter((_, place, all) => !(all[place - (place % 2)] ?? '').startsWith(':')));
  return {
    method: request.method,
    fields: valuesOf(plain, 'host').length > 0 ? plain : ['host', request.authority, ...plain],
    // RFC 9113, section 8.1
    body: stream.endAfterHeaders ? null : bodyOf(request, stream),
    connection: session,
    sink: response,
    get isGone() {
      return stream.destroyed || stream.closed;
    },
    stepAside: leave,
    informed: (status, fields) => void isSent(() => stream.additionalHeaders({ ':status': status, ...groupedFields(endToEnd(fields)) })),
    head: (status, statusText, fields) => {
      if (saysMore(status, statusText) && valueOf(plain, 'sec-fetch-dest') === SCRIPTS_OWN) leaveQuietly?.();
      return stream.destroyed || stream.closed || isSent(() => stream.respond([':status', statusOf(status), ...endToEnd(fields)], AS_IT_CAME));
    },
    trailers: (fields) => response.addTrailers(groupedFields(endToEnd(fields))),
    // one that is only destroyed ends without an error, and one that is closed ends before it is reset, so that it looks whole
    cutOff: () => stream.destroy(new Error('the answer was cut off')),
    onClose: (closed) => void stream.once('close', () => closed(stream.writableFinished && stream.rstCode === constants.NGHTTP2_NO_ERROR)),
  };
}

/**
 * The body of a request, apart from the request: browsers take no answer before they have sent all, so what no server takes
 * any more is read to its end and goes nowhere.
 */
function bodyOf(request: Readable, response: Writable): Readable {
  const body = request.pipe(new PassThrough());
  // nobody listens while it waits for a connection
  body.on('error', () => undefined);
  // behind the pipe's own word, which stops the request
  body.once('close', () => request.resume());
  request.once('error', (error) => body.destroy(error));
  response.once('finish', () => {
    // answered without having been sent
    if (body.readableFlowing === null) body.destroy();
  });
  return body;
}

function isSent(send: () => void): boolean {
  try {
    send();
    return true;
  } catch {
    return false;
  }
}
