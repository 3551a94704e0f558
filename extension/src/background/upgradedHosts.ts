import { isOrdinary, type TabOwner } from './ordinaryTab.ts';

/** In one message to the helper. */
const MAX_HOSTS = 100;
/** Images of a host are upgraded dozens at a time. */
const GATHER_MS = 100;

export interface UpgradedHostsHost {
  /** @throws when there is no such tab any more */
  readonly tabOf: (tabId: number) => Promise<TabOwner>;
  readonly tell: (hosts: string[]) => void;
}

/**
 * Hosts for which the browser turns http: into https: before it asks (HSTS learnt or preloaded, HTTPS records, its
 * settings): the helper foresees nothing in clear there. The browser shows it as a redirect to the same URL; a server
 * that redirects so itself is told of as well, which does no harm. The helper hears nothing of private windows, of
 * containers, and of requests whose tab is not known.
 */
export class UpgradedHosts {
  private readonly host: UpgradedHostsHost;
  private readonly gathered = new Map<number, Set<string>>();

  constructor(host: UpgradedHostsHost) {
    this.host = host;
  }

  /** To be called at the top level: a worker that is woken by an event gets it only then. */
  watch(): void {
    chrome.webRequest.onBeforeRedirect.addListener(({ tabId, url, redirectUrl }) => this.redirected(tabId, url, redirectUrl), { urls: ['http://*/*'] });
  }

  private redirected(tabId: number, from: string, to: string): void {
    if (to !== from.replace(/^http:/i, 'https:')) return;
    const hosts = this.gathered.get(tabId) ?? new Set();
    if (!this.gathered.has(tabId)) {
      this.gathered.set(tabId, hosts);
      setTimeout(() => void this.flush(tabId, hosts), GATHER_MS);
    }
    if (hosts.size < MAX_HOSTS) hosts.add(new URL(from).hostname);
  }

  private async flush(tabId: number, hosts: ReadonlySet<string>): Promise<void> {
    this.gathered.delete(tabId);
    if (await this.host.tabOf(tabId).then(isOrdinary, () => false)) this.host.tell([...hosts]);
  }
}
