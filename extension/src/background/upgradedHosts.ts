import { isOrdinaryTab } from './ordinaryTab.ts';

/** In one message to the helper. */
const MAX_HOSTS = 100;
/** Images of a host are upgraded dozens at a time. */
const GATHER_MS = 100;

/**
 * Hosts for which the browser turns http: into https: before it asks (HSTS learnt or preloaded, HTTPS records, its
 * settings): the helper foresees nothing in clear there. The browser shows it as a redirect to the same URL; a server
 * that redirects so itself is told of as well, which does no harm. The helper hears nothing of private windows, of
 * containers, of requests whose tab is not known, and while the browser does not go by it. Watches from the start, to be
 * called at the top level: a worker that is woken by an event gets it only then.
 *
 * @param mayTell whether the browser goes by the helper's connections, with what the tab shows now; asked when there is something to tell
 * @returns switches watching on and off: a listener that stays wakes the worker, and with it the helper
 */
export function watchUpgradedHosts(mayTell: (tabId: number) => boolean, tell: (hosts: string[]) => void): (isWanted: boolean) => void {
  const gathered = new Map<number, Set<string>>();
  const { onBeforeRedirect } = chrome.webRequest;

  function redirected({ tabId, url, redirectUrl }: Pick<chrome.webRequest.OnBeforeRedirectDetails, 'tabId' | 'url' | 'redirectUrl'>): void {
    if (redirectUrl !== url.replace(/^http:/i, 'https:')) return;
    const hosts = gathered.get(tabId) ?? new Set();
    if (!gathered.has(tabId)) {
      gathered.set(tabId, hosts);
      setTimeout(() => {
        gathered.delete(tabId);
        void isOrdinaryTab(tabId).then((isTold) => isTold && mayTell(tabId) && tell([...hosts]));
      }, GATHER_MS);
    }
    if (hosts.size < MAX_HOSTS) hosts.add(new URL(url).hostname);
  }

  function watch(isWanted: boolean): void {
    if (!isWanted) onBeforeRedirect.removeListener(redirected);
    else if (!onBeforeRedirect.hasListener(redirected)) onBeforeRedirect.addListener(redirected, { urls: ['http://*/*'] });
  }

  watch(true);
  return watch;
}
