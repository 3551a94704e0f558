import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import { ERROR_CODES, type ErrorCode } from '../../../shared/src/errors.ts';
import { ERROR_FIELD } from '../../../shared/src/relay/wire.ts';

const { HTTP_STATUS_OK, NGHTTP2_CANCEL } = constants;

const CODES: readonly string[] = Object.values(ERROR_CODES).flat();

/**
 * What becomes of a tunnel that was asked for: the relay is connected; or says that it is not, and that nothing has reached the server; or nobody knows,
 * as the relay is gone.
 */
export type TunnelAnswer = { readonly type: 'connected' } | { readonly type: 'refused'; readonly code: ErrorCode } | { readonly type: 'lost' };

/** The connection that a tunnel is a stream of. */
interface TunnelHost {
  /** Its round trip. */
  rttMs(): number;
  /** Of this machine. */
  readonly localAddress: string;
  /** A stream has another level now. */
  rank(stream: number, level: number): void;
  /** Something has come. */
  heard(): void;
  /** Whether an answer is waited for on a tunnel. */
  awaits(tunnel: RelayTunnel, isAwaited: boolean): void;
  /** The direct way has worked where the relay is silent. */
  overtaken(): void;
}

/** A connection to a server that the relay has made, or is about to make: a stream of CONNECT (RFC 9113, section 8.5). */
export class RelayTunnel {
  /** Bytes of both directions. It may be written to at once; what is to be read comes after the answer, and not before it is resumed. */
  readonly stream: ClientHttp2Stream;
  readonly answer: Promise<TunnelAnswer>;
  isAnswered = false;
  /** Called when the relay is silent for so long that the direct way is worth trying. */
  late: () => void = () => undefined;
  readonly host: TunnelHost;

  constructor(stream: ClientHttp2Stream, host: TunnelHost) {
    this.stream = stream;
    this.host = host;
    this.answer = new Promise((resolve) => {
      stream.once('response', (headers) => resolve(answerOf(headers)));
      stream.once('close', () => resolve({ type: 'lost' }));
    });
    stream.once('response', () => {
      this.isAnswered = true;
      this.heard();
    });
    stream.on('data', () => this.heard());
    stream.once('close', () => host.awaits(this, false));
    // the close says enough
    stream.on('error', () => undefined);
    stream.pause();
    host.awaits(this, true);
  }

  /** Something was sent: the server's answer to it is waited for. */
  wrote(): void {
    this.host.awaits(this, true);
  }

  /** @param level as `levelOf` */
  rank(level: number): void {
    if (this.stream.id !== undefined && !this.stream.closed) this.host.rank(this.stream.id, level);
  }

  /** Whether the stream has ended as the server has ended it; else it was cut. */
  get isWhole(): boolean {
    return !this.stream.rstCode;
  }

  close(): void {
    this.stream.close(NGHTTP2_CANCEL);
  }

  private heard(): void {
    this.host.awaits(this, false);
    this.host.heard();
  }
}

function answerOf(headers: IncomingHttpHeaders & { ':status'?: number }): TunnelAnswer {
  if (headers[':status'] === HTTP_STATUS_OK) return { type: 'connected' };
  const code = headers[ERROR_FIELD];
  // whoever says no in another way is no relay that can be believed
  return isCode(code) ? { type: 'refused', code } : { type: 'lost' };
}

function isCode(field: unknown): field is ErrorCode {
  return typeof field === 'string' && CODES.includes(field);
}
