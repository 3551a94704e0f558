import type { FetchUrgency } from '../../../../shared/src/protocol/page.ts';
import type { ContentGate, ContentGateHost } from '../contentGate.ts';
import { askAgain, heldUrlOf, requestModeOf, type ImageUser, type RequestMode } from './imageUsers.ts';
import { MemoryCacheWarmer } from './memoryCacheWarmer.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import { LoadEventKeeper } from './loadEventKeeper.ts';
import { StyleRedeclarer } from './styleRedeclarer.ts';
import { markIcons } from './icons.ts';

/**
 * The page's half of the Chromium gate. A held request has failed with an `error` event, which is hidden from the page here. A release
 * fetches the URL once with the marker (MemoryCacheWarmer) and makes the users ask again for the clean URL, which the memory cache answers
 * while that fetch is under way: one request on the wire, no marker in the page.
 */
export function createContentGate(host: ContentGateHost): ContentGate {
  const heldUrls = new Set<string>();
  const releasedUrls = new Set<string>();
  /** Released, but who uses it is not known yet: an element that the parser has not reached, or a style. */
  const unclaimed = new Set<string>();
  const usersByUrl = new Map<string, Set<ImageUser>>();
  /** Users that have asked again: a further error is the page's own. */
  const askedAgain = new WeakMap<Element, string>();
  let open = false;

  const loadEvent = new LoadEventKeeper(() => heldUrls.size + warmer.loadingCount);
  const warmer = new MemoryCacheWarmer(() => {
    loadEvent.settled();
    host.changed();
  });
  const styles = new StyleRedeclarer();
  markIcons();

  window.addEventListener(
    'error',
    (event) => {
      const user = event.target;
      if (!(user instanceof Element)) return;
      const url = heldUrlOf(user);
      if (url === null) return;
      if (askedAgain.get(user) === url) return;
      event.stopImmediatePropagation();
      addUser(url, user as ImageUser);
      if (open || releasedUrls.has(url)) fetchFor(url, 'auto');
      else hold(url);
    },
    true,
  );

  function addUser(url: string, user: ImageUser): void {
    const users = usersByUrl.get(url) ?? new Set();
    users.add(user);
    usersByUrl.set(url, users);
  }

  function hold(url: string): void {
    if (heldUrls.has(url)) return;
    heldUrls.add(url);
    host.changed();
  }

  function fetchFor(url: string, urgency: FetchUrgency): void {
    heldUrls.delete(url);
    releasedUrls.add(url);
    const users = usersByUrl.get(url);
    usersByUrl.delete(url);
    if (users === undefined) {
      warmer.fetch(url, NO_CORS, urgency, document.readyState === 'loading');
      unclaimed.add(url);
      return;
    }
    unclaimed.delete(url);
    // all marked fetches are queued before the first clean request, so that each finds its own under way
    for (const user of users) warmer.fetch(url, requestModeOf(user), urgency, false);
    for (const user of users) {
      if (heldUrlOf(user) !== url) continue;
      askedAgain.set(user, url);
      askAgain(user);
    }
  }

  return {
    held(urls) {
      for (const url of urls) {
        if (releasedUrls.has(url)) continue;
        if (open) fetchFor(url, 'auto');
        else hold(url);
      }
    },
    release: fetchFor,
    releaseAll() {
      open = true;
      for (const url of [...heldUrls]) fetchFor(url, 'auto');
    },
    wanted: () => new Set([...heldUrls, ...warmer.loadingUrls()]),
    unclaimed: () => new Set([...unclaimed, ...[...heldUrls].filter((url) => !usersByUrl.has(url))]),
    usedInStyle(url) {
      if (!unclaimed.delete(url)) return;
      styles.redeclare(withoutFragment(url));
    },
  };
}

const NO_CORS: RequestMode = { crossOrigin: null, referrerPolicy: '' };
