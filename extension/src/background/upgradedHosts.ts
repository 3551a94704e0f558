import { isOrdinaryTab } from './ordinaryTab.ts';

/** In one message to the helper. */
const MAX_HOSTS = 100;
/** Images of a host are upgraded dozens at a time. */
const GATHER_MS = 100;

/**
 * Hosts for which the browser turns http: into https: before it asks (HSTS learnt or preloaded, HTTPS records, its
 * settings): the helper foresees nothing in clear there. The browser shows it as a redirect to the same URL; a server
 * that redirects so itself is told of as well, which does no harm. The helper hears nothing of private windows, of
 * containers, and of requests whose tab is not known. To be called at the top level: a worker that is woken by an event
 * gets it only then.
 */
export function watchUpgradedHosts(tell: (hosts: string[]) => void): void {
  const gathered = new Map<number, Set<string>>();

  chrome.webRequest.onBeforeRedirect.addListener(({ tabId, url, redirectUrl }) => {
    if (redirectUrl !== url.replace(/^http:/i, 'https:')) return;
    const hosts = gathered.get(tabId) ?? new Set();
    if (!gathered.has(tabId)) {
      gathered.set(tabId, hosts);
      setTimeout(() => {
        gathered.delete(tabId);
        void isOrdinaryTab(tabId).then((isTold) => isTold && tell([...hosts]));
      }, GATHER_MS);
    }
    if (hosts.size < MAX_HOSTS) hosts.add(new URL(url).hostname);
  }, { urls: ['http://*/*'] });
}
