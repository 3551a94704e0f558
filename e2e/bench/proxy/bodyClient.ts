import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { BenchError } from '../errors.ts';
import { AnswerParser } from './answerParser.ts';

/** Where requests go, and what of them is different through a proxy. */
export interface Route {
  readonly host: string;
  readonly port: number;
  /** Through a proxy requests name their target in absolute form (RFC 9112, section 3.2.2); null for none. */
  readonly proxy: { readonly authorization: string | null } | null;
}

/** A reader that stops once. */
export interface Stop {
  readonly afterBytes: number;
  readonly ms: number;
  /** Called when it goes on. */
  readonly onResume?: () => void;
}

/** Some of a body at once, as browsers read. */
const READ_BYTES = 64 * 1024;

interface Pending {
  readonly stop: Stop | null;
  bodyBytes: number;
  hasStopped: boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One keep-alive connection of a client that takes one answer after the other and throws the bytes away, with as little work as can be. */
export class BodyClient {
  private readonly socket: Socket;
  private readonly requestOf: (path: string) => string;
  private readonly parser = new AnswerParser();
  private pending: Pending | null = null;

  private constructor(socket: Socket, requestOf: (path: string) => string) {
    this.socket = socket;
    this.requestOf = requestOf;
    // also after the handlers of the connecting are gone
    socket.on('error', (error) => this.fail(error));
    socket.once('close', () => this.fail(new Error('the connection was closed')));
  }

  /** @param server host:port of the server @throws Error when nobody listens there */
  static async connect(route: Route, server: string, accept: string): Promise<BodyClient> {
    const authorization = route.proxy?.authorization ?? null;
    const fields = [`Host: ${server}`, `Accept: ${accept}`, ...(authorization === null ? [] : [`Proxy-Authorization: ${authorization}`])];
    const prefix = route.proxy === null ? '' : `http://${server}`;
    const buffer = Buffer.alloc(READ_BYTES);
    const received = { by: (_bytes: Buffer): boolean => true };
    const socket = connect({ host: route.host, port: route.port, noDelay: true, onread: { buffer, callback: (length) => received.by(buffer.subarray(0, length)) } });
    await once(socket, 'connect');
    const client = new BodyClient(socket, (path) => `GET ${prefix}${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
    received.by = (bytes) => client.onBytes(bytes);
    return client;
  }

  /** Resolves when the whole answer is there. @throws BenchError E_ANSWER when it is not what was asked for */
  get(bytes: number, stop: Stop | null = null): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.pending = { stop, bodyBytes: 0, hasStopped: false, resolve, reject };
      this.socket.write(this.requestOf(`/${bytes}`));
    }).catch((error: unknown) => {
      throw new BenchError('E_ANSWER', `Getting ${bytes} bytes: ${error instanceof Error ? error.message : String(error)}`, 'run the part again with fewer rounds to see which way fails', { cause: error });
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** @returns false to read no further */
  private onBytes(bytes: Buffer): boolean {
    const { pending } = this;
    if (pending === null) return true;
    try {
      const { bodyBytes, isWhole } = this.parser.push(bytes);
      pending.bodyBytes += bodyBytes;
      if (isWhole) {
        this.pending = null;
        pending.resolve();
        return true;
      }
    } catch (error) {
      this.fail(error as Error);
      this.socket.destroy();
      return true;
    }
    const { stop } = pending;
    if (stop === null || pending.hasStopped || pending.bodyBytes < stop.afterBytes) return true;
    pending.hasStopped = true;
    setTimeout(() => {
      stop.onResume?.();
      this.socket.resume();
    }, stop.ms);
    return false;
  }

  private fail(error: Error): void {
    const { pending } = this;
    this.pending = null;
    pending?.reject(error);
  }
}
