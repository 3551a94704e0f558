import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The browser's connections of HTTP/1.1 and the answer under way on each, so that they can end without a loss. */
export class KeptConnections {
  /** Null on an idle connection. */
  private readonly answers = new Map<Socket, ServerResponse | null>();
  private isDraining = false;

  opened(socket: Socket): void {
    // its first request is on its way
    if (this.isDraining) return;
    this.answers.set(socket, null);
    socket.once('close', () => this.answers.delete(socket));
  }

  /** A request has come. */
  answering(socket: Socket, response: ServerResponse): void {
    this.answers.set(socket, response);
    if (this.isDraining) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.answers.delete(socket);
      if (this.isDraining) socket.destroySoon();
      else if (!socket.destroyed) this.answers.set(socket, null);
    });
  }

  /** It speaks something else from now on. */
  taken(socket: Socket): void {
    this.answers.delete(socket);
  }

  /** Ends each connection when it has no answer under way: a browser asks again where it finds one closed. */
  drain(): void {
    this.isDraining = true;
    for (const [socket, response] of this.answers) {
      if (response === null) socket.destroySoon();
      // RFC 9112, section 9.6
      else response.shouldKeepAlive = false;
    }
  }
}
