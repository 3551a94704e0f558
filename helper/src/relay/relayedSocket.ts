import { Duplex } from 'node:stream';
import { FirstscreenError, codeOf, coded, type ErrorCode } from '../../../shared/src/errors.ts';
import { READ_AHEAD_BYTES, type OpenedTcp } from '../upstream/openSocket.ts';
import type { RelayTunnel } from './relayTunnel.ts';

/** More than that is not written ahead of the relay's answer. */
const MAX_KEPT_BYTES = 64 * 1024;
/** Content type of a record of TLS, and type of a message in it (RFC 8446, sections 5.1 and 4). */
const [HANDSHAKE, CLIENT_HELLO] = [22, 1];
const RECORD_HEADER_BYTES = 5;

export interface RelayedSocketOptions {
  /** @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
  readonly direct: () => Promise<OpenedTcp>;
  /** The relay has said no. */
  readonly refused: (code: ErrorCode) => void;
  readonly allowHalfOpen: boolean;
}

/**
 * A connection to a server through the relay that is spoken on before the relay has answered, and goes directly where the relay says no, is gone, or is
 * silent for too long. What was written until then is kept: to a server that has not got it, it is written again. Two servers may get the same bytes
 * only where those are the first message of a handshake of TLS, which are two handshakes then, of which one is never answered.
 */
export class RelayedSocket extends Duplex {
  /** Settles when it is decided which way it goes. Never fails: a connection that fails is destroyed. */
  readonly decided: Promise<void>;
  bytesRead = 0;
  bytesWritten = 0;
  private readonly tunnel: RelayTunnel;
  private readonly options: RelayedSocketOptions;
  /** Once it is decided; `null` until then. */
  private way: Duplex | null = null;
  private direct: OpenedTcp | null = null;
  private isTryingDirectly = false;
  /** Whether the relay's answer may still come. */
  private isAsked = true;
  private kept: Buffer[] = [];
  private readonly settle: () => void;
  /** Of a write, or an end, that waits for the decision. */
  private waiting: (() => void) | null = null;

  constructor(tunnel: RelayTunnel, options: RelayedSocketOptions) {
    super({ allowHalfOpen: options.allowHalfOpen, readableHighWaterMark: READ_AHEAD_BYTES });
    this.tunnel = tunnel;
    this.options = options;
    const { promise, resolve }: PromiseWithResolvers<void> = Promise.withResolvers();
    [this.decided, this.settle] = [promise, resolve];
    // told by the close, and kept in `errored`
    this.on('error', () => undefined);
    tunnel.late = () => this.raceDirectly();
    tunnel.gone = () => {
      if (this.way === tunnel.stream) this.destroy(lost());
    };
    void tunnel.answer.then((answer) => {
      if (this.way !== null || this.destroyed) return;
      this.isAsked = false;
      if (answer.type === 'connected') this.decide(tunnel.stream);
      else {
        if (answer.type === 'refused') options.refused(answer.code);
        if (answer.type === 'refused' || this.mayGoTwice) this.goDirectly();
        else this.destroy(lost());
      }
    });
  }

  /** The round trip of the way that it goes. */
  get rttMs(): number {
    return this.direct?.rttMs ?? this.tunnel.rttMs;
  }

  /** Of this machine. */
  get localAddress(): string {
    return this.direct?.socket.localAddress ?? this.tunnel.host.localAddress;
  }

  /** What waits on it is so urgent, as `levelOf` says. */
  rank(level: number): void {
    if (this.direct === null) this.tunnel.rank(level);
  }

  override _read(): void {
    this.way?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length;
    if (this.way !== null) {
      if (this.direct === null) this.tunnel.write(chunk, callback);
      else this.direct.socket.write(chunk, callback);
      return;
    }
    this.kept.push(chunk);
    if (this.isAsked) this.tunnel.write(chunk);
    if (this.kept.reduce((sum, { length }) => sum + length, 0) <= MAX_KEPT_BYTES) callback();
    else this.waiting = callback;
  }

  override _final(callback: (error?: Error | null) => void): void {
    const end = (): void => void this.way?.end(callback);
    if (this.way === null) this.waiting = end;
    else end();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // what has ended on both sides is on its way yet
    if (error !== null || this.direct !== null || !this.readableEnded || !this.writableFinished) this.tunnel.close();
    this.direct?.socket.destroy();
    this.waiting = null;
    this.kept = [];
    this.settle();
    callback(error);
  }

  /** Nothing, or a ClientHello and nothing behind it: what follows at once would be early data, which may be a request (RFC 8446, section 8). */
  private get mayGoTwice(): boolean {
    const bytes = Buffer.concat(this.kept);
    if (bytes.length === 0) return true;
    return bytes.length > RECORD_HEADER_BYTES && bytes[0] === HANDSHAKE && bytes[RECORD_HEADER_BYTES] === CLIENT_HELLO && isOneRecord(bytes);
  }

  /** The relay is silent. Where a second way may not be spoken on, it is only seen whether there is one. */
  private raceDirectly(): void {
    if (this.isTryingDirectly || this.destroyed) return;
    if (this.way === null && this.mayGoTwice) this.goDirectly();
    else this.options.direct().then(({ socket }) => {
      socket.destroy();
      this.tunnel.host.overtaken();
    }, () => undefined);
  }

  private goDirectly(): void {
    if (this.isTryingDirectly) return;
    this.isTryingDirectly = true;
    this.options.direct().then(
      (opened) => {
        const { socket } = opened;
        // it is too late, or what only one server may get was written meanwhile
        if (this.way !== null || this.destroyed || (this.isAsked && !this.mayGoTwice)) {
          socket.on('error', () => undefined).destroy();
          this.isTryingDirectly = false;
          return;
        }
        this.direct = opened;
        if (this.isAsked) this.tunnel.host.overtaken();
        this.tunnel.close();
        for (const chunk of this.kept) socket.write(chunk);
        this.decide(socket);
      },
      (error: unknown) => {
        this.isTryingDirectly = false;
        if (this.way === null && !this.isAsked) this.destroy(coded(error, 'A connection could not be made directly.'));
      },
    );
  }

  private decide(way: Duplex): void {
    this.way = way;
    this.kept = [];
    way.on('data', (chunk: Buffer) => {
      this.bytesRead += chunk.length;
      if (!this.push(chunk)) way.pause();
    });
    way.once('end', () => {
      if (!this.isWhole) return;
      this.push(null);
      // so that who listens hears of it, although nobody reads
      this.read(0);
    });
    way.once('error', (error) => this.destroy(this.direct === null ? this.failure(error) : error));
    way.once('close', () => {
      if (!way.readableEnded || !this.isWhole) this.destroy(this.direct === null ? this.failure() : undefined);
    });
    const { waiting } = this;
    this.waiting = null;
    waiting?.();
    way.resume();
    this.settle();
  }

  /** A stream ends for its reader, too, when it is cut. */
  private get isWhole(): boolean {
    return this.direct !== null || this.tunnel.ending === 'whole';
  }

  private failure(cause?: unknown): FirstscreenError {
    return this.tunnel.ending === 'broken off' ? new FirstscreenError('E_UPSTREAM', 'The server has broken off a connection.', 'Load the page again.', { cause }) : lost(cause);
  }
}

/** A lost connection of which the relay was a part: the server may be there, by the direct way. */
export function isLostWithRelay(error: unknown): boolean {
  return codeOf(error) === 'E_RELAY_UNAVAILABLE';
}

function lost(cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_RELAY_UNAVAILABLE', 'The relay ended a connection before it was over.', 'Load the page again: it goes directly.', { cause });
}

function isOneRecord(bytes: Buffer): boolean {
  return bytes.length === RECORD_HEADER_BYTES + bytes.readUInt16BE(RECORD_HEADER_BYTES - 2);
}
