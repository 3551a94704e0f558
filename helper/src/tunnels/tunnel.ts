import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { TunnelTurn } from './tunnelTurns.ts';

/**
 * Opens the server's side of a tunnel, and waits until the browser may have it: the connection is there when the turn is.
 *
 * @param open throws FirstscreenError E_NAME, E_CONNECT
 * @returns null when the browser is gone, and nothing is left open. @throws as `open`
 */
export async function openInTurn(browser: Duplex, turn: TunnelTurn, open: () => Promise<Duplex>): Promise<Duplex | null> {
  // a browser ends its side only when it wants nothing more of the tunnel
  browser.once('end', () => turn.ended());
  browser.once('close', () => turn.ended());
  const openGuarded = async (): Promise<Duplex> => {
    const server = await open();
    // nobody else listens while it waits; the close says enough
    server.on('error', () => undefined);
    return server;
  };
  try {
    let [server] = await Promise.all([openGuarded(), turn.granted]);
    if (hasEnded(server) && !hasEnded(browser)) {
      // the server has not waited
      server.destroy();
      server = await openGuarded();
    }
    if (!hasEnded(browser)) return server;
    server.destroy();
    browser.destroy();
    return null;
  } catch (error) {
    turn.ended();
    throw error;
  }
}

/** Nothing more comes of it. */
export function hasEnded({ destroyed, readableEnded }: Duplex): boolean {
  return destroyed || readableEnded;
}

/**
 * Joins two connections until both directions have ended, each as its own side ends it; what one side does not take is not read from the other. One that is lost is lost to the other side, too, behind what
 * has come on it: browsers take the mere end of a connection for that of an answer that does not say its length, also where TLS has not said so (RFC 8446, section 6.1).
 *
 * @param head what the browser has sent after CONNECT already
 */
export function join(browser: Duplex, server: Duplex, head: Buffer): void {
  if (head.length > 0) server.write(head);
  browser.pipe(server);
  server.pipe(browser);
  for (const [side, other] of [[browser, server], [server, browser]] as const) {
    // a side that is gone without an end takes the other along
    side.once('close', () => {
      if (side.errored !== null) breakOff(other);
      else if (!other.writableEnded) other.destroy();
    });
    // told by `close`
    side.on('error', () => undefined);
  }
}

/** Resets a side, behind what is still to be written; one that has had its end closes. */
function breakOff(side: Duplex): void {
  if (side.writableFinished) side.destroy();
  else if (side.writableEnded) side.once('finish', () => side.destroy());
  else side.write('', () => (side instanceof Socket && !(side instanceof TLSSocket) ? side.resetAndDestroy() : side.destroy()));
}
