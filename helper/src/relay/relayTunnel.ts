import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import * as v from 'valibot';
import { isErrorCode, type ErrorCode } from '../../../shared/src/errors.ts';
import { ERROR_FIELD, FAR_FIELD, FarSchema } from '../../../shared/src/relay/wire.ts';

const { HTTP_STATUS_OK, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR } = constants;

/**
 * What becomes of a tunnel that was asked for: the relay is connected, by a handshake of TCP that took so long (null where it does not say); or says that
 * it is not, and that nothing has reached the server; or nobody knows, as the relay is gone.
 */
export type TunnelAnswer = { readonly type: 'connected'; readonly farMs: number | null } | { readonly type: 'refused'; readonly code: ErrorCode } | { readonly type: 'lost' };

/** The connection that a tunnel is a stream of. */
interface TunnelHost {
  /** Its round trip. */
  rttMs(): number;
  /** Of this machine. */
  readonly localAddress: string;
  /** A stream has another level now. */
  rank(stream: number, level: number): void;
  /** Something has come on a tunnel. */
  heard(tunnel: RelayTunnel): void;
  /** A tunnel was written to. */
  wrote(tunnel: RelayTunnel): void;
  /** The relay is silent for so long that the direct way is worth more, where it works. */
  isSilent(): boolean;
  /** The direct way has worked where the relay is silent. */
  overtaken(): void;
  /** The carrier has ended, and not a server. */
  isGone(): boolean;
}

/** A connection to a server that the relay has made, or is about to make: a stream of CONNECT (RFC 9113, section 8.5). */
export class RelayTunnel {
  /** Bytes of both directions. It may be written to at once; what is to be read comes after the answer, and not before it is resumed. */
  readonly stream: ClientHttp2Stream;
  readonly answer: Promise<TunnelAnswer>;
  private readonly startMs = performance.now();
  private answeredMs: number | null = null;
  /** Called when the relay is silent for so long that the direct way is worth trying. @returns whether it is tried for what waits here */
  late: () => boolean = () => false;
  /** Called when nothing that waits can try it: sees whether there is a direct way. */
  probe: () => void = () => undefined;
  /** Called when its carrier is gone: at once for all tunnels, so that nobody takes one for another that is as lost. */
  gone: () => void = () => undefined;
  readonly host: TunnelHost;

  constructor(stream: ClientHttp2Stream, host: TunnelHost) {
    this.stream = stream;
    this.host = host;
    this.answer = new Promise((resolve) => {
      stream.once('response', (headers) => resolve(answerOf(headers)));
      stream.once('close', () => resolve({ type: 'lost' }));
    });
    stream.once('response', () => {
      this.answeredMs = performance.now();
      host.heard(this);
    });
    stream.on('data', () => host.heard(this));
    // the close says enough
    stream.on('error', () => undefined);
    stream.pause();
  }

  /** The way to the server and back: what the relay has waited for is a part of it, as a window for the server has to be as long. */
  get rttMs(): number {
    return Math.max(this.host.rttMs(), (this.answeredMs ?? this.startMs) - this.startMs);
  }

  write(chunk: Buffer, callback?: (error?: Error | null) => void): void {
    this.host.wrote(this);
    this.stream.write(chunk, callback);
  }

  /** @param level as `levelOf` */
  rank(level: number): void {
    if (this.stream.id !== undefined && !this.stream.closed) this.host.rank(this.stream.id, level);
  }

  /** How it has ended: as the server has ended it, as the server has broken it off, or with the relay. */
  get ending(): 'whole' | 'broken off' | 'lost' {
    // undefined, against its type, where the server has ended its direction alone
    const { rstCode } = this.stream as { readonly rstCode: number | undefined };
    if (rstCode === undefined || rstCode === NGHTTP2_NO_ERROR) return 'whole';
    return rstCode === NGHTTP2_INTERNAL_ERROR && !this.host.isGone() ? 'broken off' : 'lost';
  }

  /** Not with Node's `close`, which ends the stream before it resets it: the server would take what it has for the whole. */
  close(): void {
    this.stream.destroy();
  }
}

function answerOf(headers: IncomingHttpHeaders & { readonly ':status'?: number | undefined }): TunnelAnswer {
  if (headers[':status'] === HTTP_STATUS_OK) {
    const { success, output } = v.safeParse(FarSchema, Number(headers[FAR_FIELD]));
    return { type: 'connected', farMs: success ? output : null };
  }
  const code = headers[ERROR_FIELD];
  // whoever says no in another way is no relay that can be believed
  return isErrorCode(code) ? { type: 'refused', code } : { type: 'lost' };
}
