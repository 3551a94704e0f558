import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** Of frames that the kernel has not taken: bodies are one turn of the queue at most, so that more are answers of the session itself to a client that asks much and takes nothing. */
const MAX_KEPT_BYTES = 128 * 1024;
/** Of a record of TLS at most: the other side reads nothing of one that is not whole, and 16 kB are on a slow link for a tenth of a second. 22 bytes of each are TLS's own. */
export const RECORD_BYTES = 4_096;

/**
 * The way of a carrier's session to its socket. It shows what comes, before the session reads it, and when all that the session has written is the kernel's: Node's session tells
 * neither.
 *
 * A session of Node 24 reads nothing while a write of its own is under way (node_http2.cc, `MaybeStopReading`). On a full link one always is, so that requests and ranks would wait for as long as
 * something is sent. So the session is told that its writes are done when they are kept here, up to a limit.
 */
export class CarrierTransport extends Duplex {
  private readonly socket: TLSSocket;
  private readonly heard: (chunk: Buffer) => void;
  private readonly drained: () => void;
  private writes = 0;
  receivedBytes = 0;
  sentBytes = 0;

  /**
   * @param heard told of all that comes, when the session has it
   * @param drained the kernel has all that was written
   */
  constructor(socket: TLSSocket, heard: (chunk: Buffer) => void, drained: () => void) {
    super();
    this.socket = socket;
    this.heard = heard;
    this.drained = drained;
    socket.setMaxSendFragment(RECORD_BYTES);
    socket.on('data', (chunk: Buffer) => {
      this.receivedBytes += chunk.length;
      if (!this.push(chunk)) socket.pause();
      this.heard(chunk);
    });
    socket.once('end', () => this.push(null));
    // why it is over is told of by nobody: a session that has ended listens no more
    for (const over of ['error', 'close']) socket.once(over, () => this.destroy());
  }

  /** Whether the kernel has all that was written. */
  get isDrained(): boolean {
    return this.writes === 0;
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: () => void): void {
    this.pass([chunk], callback);
  }

  /** The parts of a frame in one write: they share records of TLS. */
  override _writev(chunks: readonly { readonly chunk: Buffer }[], callback: () => void): void {
    this.pass(chunks.map(({ chunk }) => chunk), callback);
  }

  override _final(callback: () => void): void {
    this.socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.socket.destroy();
    callback(error);
  }

  private pass(chunks: readonly Buffer[], callback: () => void): void {
    this.writes += 1;
    let isTold = false;
    const tell = (): void => {
      if (!isTold) callback();
      isTold = true;
    };
    // one that fails is followed by the socket's close, and says no more than that
    const done = (): void => {
      this.writes -= 1;
      tell();
      if (this.isDrained) this.drained();
    };
    this.socket.cork();
    for (const [place, chunk] of chunks.entries()) {
      this.sentBytes += chunk.length;
      this.socket.write(chunk, place === chunks.length - 1 ? done : undefined);
    }
    this.socket.uncork();
    if (this.socket.writableLength <= MAX_KEPT_BYTES) tell();
  }
}
