import { createServer, type Socket } from 'node:net';
import { listening } from '../../../shared/src/node/net/listening.ts';

/** A browser that has opened none for so long has as many as it may, or wants no more. On two cores with six other busy programs Chromium 156 paused for 0.3 s. */
const QUIET_MS = 1_000;
/** More than any browser has; of another program on this machine no more either. */
const MAX_CONNECTIONS = 1_000;
/** Whatever comes. */
const LIMIT_MS = 4_000;

/**
 * Takes connections on loopback, and says nothing on them: a browser that opens more than it may have at once closes
 * those that it does not use for them (extension/src/platform/chromium/coldConnections.ts). When no more come, all are
 * ended, and nothing is left.
 *
 * @returns its port
 */
export async function openConnectionRoom(): Promise<number> {
  const sockets = new Set<Socket>();
  const close = (): void => {
    clearTimeout(limit);
    clearTimeout(quiet);
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  let quiet: NodeJS.Timeout | undefined;
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('close', () => sockets.delete(socket));
    clearTimeout(quiet);
    quiet = setTimeout(close, QUIET_MS);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const limit = setTimeout(close, LIMIT_MS);
  return (await listening(server, { port: 0, host: '127.0.0.1', backlog: MAX_CONNECTIONS })).port;
}
