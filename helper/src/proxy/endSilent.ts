import type { Socket } from 'node:net';

/** Ends connections on which no byte passes from one look to the next. @returns what stops it */
export function endSilent(sockets: ReadonlySet<Socket>, silentMs: number): () => void {
  const passed = new WeakMap<Socket, number>();
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (passed.get(socket) === bytes) socket.destroy();
      passed.set(socket, bytes);
    }
  }, silentMs);
  return () => clearInterval(timer);
}
