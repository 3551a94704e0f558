import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** The way of a session to its socket, on which nothing is read for as long as it is stopped. */
export class StoppedReader extends Duplex {
  private isStopped = false;
  private readonly socket: TLSSocket;

  constructor(socket: TLSSocket) {
    super();
    this.socket = socket;
    socket.on('data', (chunk) => {
      if (!this.push(chunk)) socket.pause();
    });
    socket.once('close', () => this.destroy());
  }

  stop(): void {
    this.isStopped = true;
    this.socket.pause();
  }

  override _read(): void {
    if (!this.isStopped) this.socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.socket.write(chunk, callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.socket.destroy();
    callback(error);
  }
}
