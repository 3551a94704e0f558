import type { Socket } from 'node:net';

/** Several times what a browser opens at once: 32 connections to a proxy in Chromium, and as many for WebSockets. */
export const MAX_STRANGERS = 256;

/**
 * Connections to the proxy on which nobody has shown the password yet. When there are too many the oldest ends, so that
 * another user of the machine can not use up the files that the helper may have open; a browser asks again.
 */
export class Strangers {
  private readonly sockets = new Set<Socket>();

  came(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    const [oldest] = this.sockets;
    if (this.sockets.size > MAX_STRANGERS) oldest?.destroy();
  }

  /** The password was shown on this one. */
  known(socket: Socket): void {
    this.sockets.delete(socket);
  }
}
