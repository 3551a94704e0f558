import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/**
 * Joins two connections until both directions have ended, each as its own side ends it; what one side does not take is not read from the other.
 *
 * @param head what the browser has sent after CONNECT already
 */
export function join(browser: Duplex, server: Socket, head: Buffer): void {
  if (head.length > 0) server.write(head);
  browser.pipe(server);
  server.pipe(browser);
  const destroy = (): void => {
    browser.destroy();
    server.destroy();
  };
  for (const side of [browser, server]) side.once('error', destroy);
  // a side that is gone without an end takes the other along
  browser.once('close', () => {
    if (!server.writableEnded) server.destroy();
  });
  server.once('close', () => {
    if (!browser.writableEnded) browser.destroy();
  });
}
