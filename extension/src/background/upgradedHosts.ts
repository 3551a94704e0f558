/** In one message to the helper. */
const MAX_HOSTS = 100;
/** Images of a host are upgraded dozens at a time. */
const GATHER_MS = 100;

/**
 * Hosts for which the browser turns http: into https: before it asks (HSTS learnt or preloaded, HTTPS records, its
 * settings): the helper foresees nothing in clear there. The browser shows it as a redirect to the same URL; a server
 * that redirects so itself is told of as well, which does no harm.
 */
export class UpgradedHosts {
  private readonly tell: (hosts: string[]) => void;
  private readonly gathered = new Set<string>();

  constructor(tell: (hosts: string[]) => void) {
    this.tell = tell;
  }

  /** To be called at the top level: a worker that is woken by an event gets it only then. */
  watch(): void {
    chrome.webRequest.onBeforeRedirect.addListener(({ url, redirectUrl }) => this.redirected(url, redirectUrl), { urls: ['http://*/*'] });
  }

  private redirected(from: string, to: string): void {
    if (to !== from.replace(/^http:/i, 'https:') || this.gathered.size >= MAX_HOSTS) return;
    if (this.gathered.size === 0) setTimeout(() => this.flush(), GATHER_MS);
    this.gathered.add(new URL(from).hostname);
  }

  private flush(): void {
    const hosts = [...this.gathered];
    this.gathered.clear();
    this.tell(hosts);
  }
}
