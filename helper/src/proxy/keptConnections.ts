import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A connection that was accepted sends its first request at once, unless the browser has opened it ahead. Long for one
 * machine, so that a busy one is in time: a browser does not send again what it has sent on a new connection.
 */
const FIRST_REQUEST_MS = 2_000;

/** Before the first request, between two, or the answer under way. */
type Use = 'new' | 'idle' | ServerResponse;

/** The browser's connections of HTTP/1.1 and the use of each, so that they can end without a loss. */
export class KeptConnections {
  private readonly uses = new Map<Socket, Use>();
  /** Are to end after the answer to their next request, or that under way. */
  private readonly ending = new WeakSet<Socket>();
  private isDraining = false;

  opened(socket: Socket): void {
    // its first request is on its way
    if (this.isDraining) return;
    this.uses.set(socket, 'new');
    socket.once('close', () => this.uses.delete(socket));
  }

  /** A request has come. */
  answering(socket: Socket, response: ServerResponse): void {
    this.uses.set(socket, response);
    if (this.isEnding(socket)) response.shouldKeepAlive = false;
    response.once('close', () => {
      this.uses.delete(socket);
      if (this.isEnding(socket)) socket.destroySoon();
      else if (!socket.destroyed) this.uses.set(socket, 'idle');
    });
  }

  /** It speaks something else from now on. */
  taken(socket: Socket): void {
    this.uses.delete(socket);
  }

  /** Ends all of them, and takes no new one. */
  drain(): void {
    this.isDraining = true;
    this.end(() => true);
  }

  /** Ends each of these connections when it has no answer under way: a browser asks again where it finds one closed that it has used. */
  end(isMeant: (socket: Socket) => boolean): void {
    const meant = [...this.uses].filter(([socket]) => isMeant(socket));
    for (const [socket, use] of meant) {
      this.ending.add(socket);
      if (use === 'idle') socket.destroySoon();
      // RFC 9112, section 9.6
      else if (use !== 'new') use.shouldKeepAlive = false;
    }
    setTimeout(() => {
      for (const [socket] of meant) if (this.uses.get(socket) === 'new') socket.destroySoon();
    }, FIRST_REQUEST_MS).unref();
  }

  private isEnding(socket: Socket): boolean {
    return this.isDraining || this.ending.has(socket);
  }
}
