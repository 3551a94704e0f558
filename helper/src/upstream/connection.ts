import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Client, type Dispatcher } from 'undici';

/** Idle connections stay as long as browsers keep them; a server that says less is believed. */
const KEEP_ALIVE_MS = 115_000;
const KEEP_ALIVE_LIMIT_MS = 600_000;
const MAX_HEADER_BYTES = 256 * 1024;
/** Streams at once where nothing else is said; more would only stand in the server's queue. */
const H2_STREAMS = 100;
const H2_STREAM_WINDOW_BYTES = 1024 * 1024;
/** The spool takes what comes: the server never waits for us (A3, section 3.4). */
const H2_CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;

/**
 * One connection to a server: an undici `Client` over a socket that is open already, so that an object's place is exact. It never opens another one: a Client
 * whose socket is gone fails what it is given, and the scheduler opens the next.
 */
export class UpstreamConnection {
  readonly id: number;
  readonly origin: string;
  /** Requests at once. */
  readonly slots: number;
  readonly isH2: boolean;
  private readonly client: Client;
  private readonly socket: Socket;
  /** It has answered before: a request that is lost now was most likely lost to the server's idle time-out. */
  hasAnswered = false;

  /** @param pipelining requests at once over HTTP/1.1 */
  constructor(id: number, origin: string, socket: Socket, pipelining: number, onClosed: () => void) {
    this.id = id;
    this.origin = origin;
    this.socket = socket;
    this.isH2 = socket instanceof TLSSocket && socket.alpnProtocol === 'h2';
    this.slots = this.isH2 ? H2_STREAMS : pipelining;
    let isTaken = false;
    this.client = new Client(origin, {
      pipelining: this.slots,
      allowH2: this.isH2,
      h2Options: { maxConcurrentStreams: H2_STREAMS, settings: { initialWindowSize: H2_STREAM_WINDOW_BYTES }, connectionWindowSize: H2_CONNECTION_WINDOW_BYTES },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_LIMIT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      strictContentLength: false,
      connect: (_, callback) => {
        const isGone = isTaken;
        isTaken = true;
        // not before it has returned: a Client that is called back at once does not go on
        queueMicrotask(() => (isGone || socket.destroyed ? callback(new Error('the connection is closed'), null) : callback(null, socket)));
      },
    });
    socket.once('close', () => {
      onClosed();
      void this.client.destroy();
    });
    // told by `close`, and to each request by undici
    socket.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  send(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.client.dispatch(options, handler);
  }

  /** Closes it when what is on the way has ended. */
  close(): void {
    void this.client.close();
  }

  destroy(): void {
    void this.client.destroy();
  }
}
