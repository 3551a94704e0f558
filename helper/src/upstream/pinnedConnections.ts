import type { UpstreamConnection } from './connection.ts';
import type { BrowserConnection } from './fetch.ts';

/** Opens a connection of HTTP/1.1 to an origin. @throws FirstscreenError E_NAME, E_CONNECT, E_UPSTREAM_TLS */
export type OpenPinned = (origin: string, onClosed: () => void) => Promise<UpstreamConnection>;

/**
 * Connections to servers that know who is asking by the connection (NTLM, Negotiate): each belongs to the connection of
 * the browser that has authenticated it, to nobody else, and ends with that.
 */
export class PinnedConnections {
  private readonly open: OpenPinned;
  private readonly byBrowser = new Map<BrowserConnection, Map<string, Promise<UpstreamConnection>>>();

  constructor(open: OpenPinned) {
    this.open = open;
  }

  /** That of a browser's connection to an origin; null without one. */
  get(browser: BrowserConnection, origin: string): Promise<UpstreamConnection> | null {
    return this.byBrowser.get(browser)?.get(origin) ?? null;
  }

  /** As `get`; makes one where there is none. */
  getOrOpen(browser: BrowserConnection, origin: string): Promise<UpstreamConnection> {
    const known = this.get(browser, origin);
    if (known !== null) return known;
    const origins = this.byBrowser.get(browser) ?? new Map<string, Promise<UpstreamConnection>>();
    if (!this.byBrowser.has(browser)) {
      this.byBrowser.set(browser, origins);
      browser.once('close', () => {
        this.byBrowser.delete(browser);
        for (const opening of origins.values()) opening.then((connection) => connection.destroy(), () => undefined);
      });
    }
    const forget = (): void => void origins.delete(origin);
    const opening = this.open(origin, forget);
    origins.set(origin, opening);
    opening.catch(forget);
    return opening;
  }

  /** Closes all that this says of; those under way fail. */
  destroy(isMeant: (connection: UpstreamConnection) => boolean): void {
    const destroy = (connection: UpstreamConnection): void => {
      if (isMeant(connection)) connection.destroy();
    };
    for (const origins of this.byBrowser.values()) for (const opening of origins.values()) opening.then(destroy, () => undefined);
  }
}
