import { once } from 'node:events';
import { connect, constants, createServer, type ClientHttp2Session, type ClientHttp2Stream, type Http2Server, type SessionOptions } from 'node:http2';
import type { Readable } from 'node:stream';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import type { BodySender, ClientRequests } from '../requests/clientRequests.ts';

/** Of these options the types do not know. */
const ANY_FIELDS: SessionOptions = { ...({ strictSingleValueFields: false } as object) };
const AT_ONCE: Omit<BodySender, 'isBusy'> = { levelOf: (_, level) => level, opened: () => undefined, send: (stream, source) => void source.pipe(stream) };

/** What came back on a stream. */
export interface Seen {
  readonly informed: (readonly string[])[];
  raw: readonly string[];
  trailers: readonly string[];
  body: Buffer;
  /** Its end, or the code of its reset. */
  end: 'whole' | number;
}

/** What was promised, and what came of it. */
export interface Pushed {
  readonly request: readonly string[];
  readonly stream: ClientHttp2Stream;
  response: readonly string[];
  body: Buffer;
}

export interface Asked {
  readonly method?: string;
  readonly origin: string;
  readonly path?: string;
  readonly level?: number;
  readonly fields?: readonly string[];
  readonly body?: Buffer | Readable;
}

/** A carrier without TLS and without a queue, for the requests of one client. */
export class TestCarrier {
  readonly session: ClientHttp2Session;
  readonly pushes: Pushed[] = [];
  /** Told of each promise. */
  promised: (pushed: Pushed) => void = () => undefined;
  private readonly server: Http2Server;
  private readonly requests: ClientRequests;

  private constructor(server: Http2Server, session: ClientHttp2Session, requests: ClientRequests) {
    [this.server, this.session, this.requests] = [server, session, requests];
    session.on('stream', (stream, _headers, _flags, request) => {
      const pushed: Pushed = { request, stream, response: [], body: Buffer.alloc(0) };
      this.pushes.push(pushed);
      stream.on('error', () => undefined);
      stream.on('push', (_response, _pushFlags, raw: string[]) => (pushed.response = raw));
      stream.on('data', (chunk: Buffer) => (pushed.body = Buffer.concat([pushed.body, chunk])));
      this.promised(pushed);
    });
  }

  /** @param isBusy whether the link has something else to carry */
  static async start(requests: ClientRequests, isBusy = (): boolean => false): Promise<TestCarrier> {
    const server = createServer({ strictSingleValueFields: false });
    server.on('session', (session) => session.on('error', () => undefined));
    server.on('stream', (stream, _headers, _flags, raw) => requests.make(stream, raw, { ...AT_ONCE, isBusy }));
    await listenLocally(server);
    const session = connect(`http://127.0.0.1:${portOf(server)}`, ANY_FIELDS);
    session.on('error', () => undefined);
    await once(session, 'connect');
    return new TestCarrier(server, session, requests);
  }

  stream({ method = 'GET', origin, path = '/', level = 2, fields = [], body }: Asked): ClientHttp2Stream {
    const { protocol, host } = new URL(origin);
    const stream = this.session.request([':method', method, ':scheme', protocol.slice(0, -1), ':authority', host, ':path', path, 'firstscreen-level', String(level), ...fields], { endStream: body === undefined });
    stream.on('error', () => undefined);
    if (Buffer.isBuffer(body)) stream.end(body);
    else body?.pipe(stream);
    return stream;
  }

  /** Makes a request, and takes all that comes. */
  async ask(asked: Asked): Promise<Seen> {
    const stream = this.stream(asked);
    const seen: Seen = { informed: [], raw: [], trailers: [], body: Buffer.alloc(0), end: -1 };
    const chunks: Buffer[] = [];
    const events: string[] = [];
    stream.on('headers', (_headers, _flags, raw) => seen.informed.push(raw));
    stream.on('response', (_headers, _flags, raw: string[]) => (seen.raw = raw));
    stream.on('trailers', (_trailers, _flags, raw: string[]) => (seen.trailers = raw));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => events.push('end'));
    await new Promise((resolve) => stream.once('close', resolve));
    seen.body = Buffer.concat(chunks);
    seen.end = events.includes('end') && stream.rstCode === constants.NGHTTP2_NO_ERROR ? 'whole' : stream.rstCode;
    return seen;
  }

  async close(): Promise<void> {
    this.session.destroy();
    this.server.close();
    await this.requests.close();
  }
}
