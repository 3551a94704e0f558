import { Duplex } from 'node:stream';
import { FirstscreenError, codeOf, coded, type ErrorCode } from '../../../shared/src/errors.ts';
import { READ_AHEAD_BYTES } from '../../../shared/src/node/net/attemptTcp.ts';
import type { OpenedTcp, RankedWay } from '../upstream/openSocket.ts';
import type { RelayTunnel } from './relayTunnel.ts';

/** More than that is not written ahead of the relay's answer. */
const MAX_KEPT_BYTES = 64 * 1024;
/** Content type of a record of TLS, and type of a message in it (RFC 8446, sections 5.1 and 4). */
const [HANDSHAKE, CLIENT_HELLO] = [22, 1];
const RECORD_HEADER_BYTES = 5;

export interface RelayedSocketOptions {
  /** @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
  readonly direct: () => Promise<OpenedTcp>;
  /** The relay has said no, or the server to it. */
  readonly refused: (code: ErrorCode) => void;
  readonly allowHalfOpen: boolean;
}

/**
 * A connection to a server through the relay that is spoken on before the relay has answered, and goes directly where the relay says no, is gone, or is
 * silent for too long, and where the server ends a handshake before it says anything. What was written is kept until the server has said something: to one that has not got it, it is written again. Two servers may get
 * the same bytes only where those are the first message of a handshake of TLS, which are two handshakes then, of which one is never ended.
 */
export class RelayedSocket extends Duplex implements RankedWay {
  /** Settles when it is decided which way it goes to begin with. Never fails: a connection that fails is destroyed. */
  readonly decided: Promise<void>;
  bytesRead = 0;
  bytesWritten = 0;
  late: () => boolean = () => false;
  private readonly tunnel: RelayTunnel;
  private readonly options: RelayedSocketOptions;
  /** Once it is decided; `null` until then. */
  private way: Duplex | null = null;
  private direct: OpenedTcp | null = null;
  private isTryingDirectly = false;
  /** Whether something may still come by the relay. */
  private isAsked = true;
  /** What was written, until it is known who has got it; `null` from then on. */
  private kept: Buffer[] | null = [];
  private readonly settle: () => void;
  /** Of a write, or an end, that waits for the decision; or of a write to the relay, which does not come to its end where that way is left. */
  private waiting: ((error?: Error | null) => void) | null = null;

  constructor(tunnel: RelayTunnel, options: RelayedSocketOptions) {
    super({ allowHalfOpen: options.allowHalfOpen, readableHighWaterMark: READ_AHEAD_BYTES });
    this.tunnel = tunnel;
    this.options = options;
    const { promise, resolve }: PromiseWithResolvers<void> = Promise.withResolvers();
    [this.decided, this.settle] = [promise, resolve];
    // told by the close, and kept in `errored`
    this.on('error', () => undefined);
    tunnel.late = () => this.raceDirectly();
    tunnel.probe = () => this.probe();
    tunnel.gone = () => {
      if (this.way === tunnel.stream) this.lost();
    };
    void tunnel.answer.then((answer) => {
      if (this.way !== null || this.destroyed) return;
      if (answer.type === 'connected') {
        this.decide(tunnel.stream);
        return;
      }
      if (answer.type === 'refused') options.refused(answer.code);
      this.isAsked = false;
      if (answer.type === 'refused' || this.mayGoTwice) this.goDirectly();
      else this.destroy(lost());
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

  get isSilent(): boolean {
    return this.direct === null && this.tunnel.host.isSilent();
  }

  /** What waits on it is so urgent, as `levelOf` says. */
  rank(level: number): void {
    if (this.direct === null) this.tunnel.rank(level);
  }

  overtaken(): void {
    this.tunnel.host.overtaken();
  }

  override _read(): void {
    this.way?.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length;
    this.kept?.push(chunk);
    if (this.way !== null) {
      if (!this.mayGoTwice) this.kept = null;
      if (this.direct !== null) this.direct.socket.write(chunk, callback);
      else {
        this.waiting = callback;
        this.tunnel.write(chunk, (error) => this.wrote(callback, error));
      }
      return;
    }
    if (this.isAsked) this.tunnel.write(chunk);
    if ((this.kept ?? []).reduce((sum, { length }) => sum + length, 0) <= MAX_KEPT_BYTES) callback();
    else this.waiting = callback;
  }

  override _final(callback: (error?: Error | null) => void): void {
    const end = (): void => {
      this.kept = null;
      this.way?.end(callback);
    };
    if (this.way === null) this.waiting = end;
    else end();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    // what has ended on both sides is on its way yet
    if (error !== null || this.direct !== null || !this.readableEnded || !this.writableFinished) this.tunnel.close();
    this.direct?.socket.destroy();
    this.waiting = null;
    this.kept = null;
    this.settle();
    callback(error);
  }

  /** Nothing, or a ClientHello and nothing behind it: what follows at once would be early data, which may be a request (RFC 8446, section 8). */
  private get mayGoTwice(): boolean {
    if (this.kept === null) return false;
    const bytes = Buffer.concat(this.kept);
    if (bytes.length === 0) return true;
    return bytes.length > RECORD_HEADER_BYTES && bytes[0] === HANDSHAKE && bytes[RECORD_HEADER_BYTES] === CLIENT_HELLO && isOneRecord(bytes);
  }

  /** Somebody waits for what was written, and nobody has got it for certain. */
  private get mayMove(): boolean {
    return this.mayGoTwice && (this.way === null || this.bytesWritten > 0);
  }

  private wrote(callback: (error?: Error | null) => void, error: Error | null | undefined): void {
    if (this.waiting !== callback) return;
    this.waiting = null;
    callback(error);
  }

  /** The relay is silent. @returns whether the direct way is tried for what waits here */
  private raceDirectly(): boolean {
    if (this.isTryingDirectly || this.destroyed || this.direct !== null) return false;
    if (!this.mayMove) return this.late();
    this.goDirectly();
    return true;
  }

  /** On a second way that may not be spoken on, it is only seen whether there is one. */
  private probe(): void {
    this.options.direct().then(({ socket }) => {
      socket.destroy();
      this.overtaken();
    }, () => undefined);
  }

  private goDirectly(): void {
    if (this.isTryingDirectly) return;
    this.isTryingDirectly = true;
    this.options.direct().then(
      (opened) => {
        this.isTryingDirectly = false;
        // it is too late where the relay has answered, or what only one server may get was written meanwhile
        const isFirst = this.mayMove && (this.way === null || this.isSilent);
        if (this.destroyed || (this.isAsked && !isFirst)) opened.socket.on('error', () => undefined).destroy();
        else this.takeDirect(opened);
      },
      (error: unknown) => {
        this.isTryingDirectly = false;
        if (!this.isAsked) this.destroy(coded(error, 'A connection could not be made directly.'));
      },
    );
  }

  private takeDirect(opened: OpenedTcp): void {
    this.direct = opened;
    if (this.isAsked) this.overtaken();
    this.isAsked = false;
    this.tunnel.close();
    for (const chunk of this.kept ?? []) opened.socket.write(chunk);
    this.decide(opened.socket);
  }

  private decide(way: Duplex): void {
    this.way = way;
    // of a way that was left nothing counts
    const isLeft = (): boolean => this.way !== way;
    if (this.direct !== null || !this.mayGoTwice) this.kept = null;
    way.on('data', (chunk: Buffer) => {
      if (isLeft()) return;
      this.kept = null;
      this.bytesRead += chunk.length;
      if (!this.push(chunk)) way.pause();
    });
    way.once('end', () => {
      if (isLeft() || !this.isWhole || this.isShunned()) return;
      this.push(null);
      // so that who listens hears of it, although nobody reads
      this.read(0);
    });
    way.once('error', (error) => {
      if (!isLeft()) this.failed(error);
    });
    way.once('close', () => {
      if (!isLeft() && (!way.readableEnded || !this.isWhole)) this.failed();
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

  private failed(cause?: Error): void {
    if (this.direct !== null) this.destroy(cause);
    else if (this.tunnel.ending !== 'broken off') this.lost(cause);
    else if (!this.isShunned()) this.destroy(new FirstscreenError('E_UPSTREAM', 'The server has broken off a connection.', 'Load the page again.', { cause }));
  }

  /** The server has ended it before it said anything to a ClientHello: it, or what stands before it, may take nobody from the relay's address. @returns whether it is asked directly */
  private isShunned(): boolean {
    if (this.direct !== null || !this.mayMove) return false;
    if (this.isAsked) this.options.refused('E_CONNECT');
    this.isAsked = false;
    this.goDirectly();
    return true;
  }

  /** The relay is gone. */
  private lost(cause?: Error): void {
    if (this.destroyed) return;
    this.isAsked = false;
    if (this.mayMove) this.goDirectly();
    else this.destroy(lost(cause));
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
