import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { pairsOf } from '../../../shared/src/node/http/rawHeaders.ts';
import { join } from '../tunnels/tunnel.ts';

/** Passes a request to go on with another protocol (RFC 9110, section 7.8; WebSocket), and all that follows it, as it is, on a connection of its own. */
export async function passUpgrade(request: IncomingMessage, browser: Duplex, head: Buffer, opening: Promise<Duplex>): Promise<void> {
  browser.on('error', () => undefined);
  let server: Duplex;
  try {
    server = await opening;
  } catch {
    // what a WebSocket shows of any failure
    browser.destroy();
    return;
  }
  if (browser.destroyed) {
    server.destroy();
    return;
  }
  const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`, ...pairsOf(request.rawHeaders).map(([name, value]) => `${name}: ${value}`)];
  server.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  join(browser, server, head);
}
