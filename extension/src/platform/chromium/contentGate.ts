import type { Placement } from '../../../../shared/src/page/objects.ts';
import type { FetchUrgency } from '../../../../shared/src/protocol/page.ts';
import type { ContentGate, ContentGateHost } from '../contentGate.ts';
import { Pace } from '../../content/pace.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import { ImageButtons } from './imageButtons.ts';
import { askFates } from './fateQuestion.ts';
import { GIVE_UP_MS, askAgain, heldUrlOf, postersOf, requestModeOf, stopAsking, type ImageUser, type RequestMode } from './imageUsers.ts';
import { MemoryCacheWarmer, RULES_OUTLIVE_MS, type ReleasedFetch } from './memoryCacheWarmer.ts';
import { LoadEventKeeper } from './loadEventKeeper.ts';
import { ShadowRoots } from './shadowRoots.ts';
import { StyleRedeclarer } from './styleRedeclarer.ts';
import { markIcons } from './icons.ts';

/** The background script tells what it held; a URL with an `error` that it has not named after this time was perhaps never held. */
const UNCONFIRMED_MS = 100;
/** The `load` events of all users of one image are queued together. */
const LOAD_EVENTS_MS = 50;
/** An image that may not be cached is held anew with every use; beyond this, a style does without it rather than asking for ever. */
const MAX_HELD_AGAIN = 20;
/** Before the background script is seen to be gone. */
const LAST_MOMENTS_MS = 500;
/** Longer than an answer takes on all but the slowest links: what is begun anew may be on the wire already. */
const UNANSWERED_MS = 5_000;
const STYLED: Placement = { state: 'styled' };
const SEEK_USER_MS = [100, 400, 1_500, 5_000];
/** Reading where newly held images are may take at most this share of the time. */
const JUDGE_SHARE = 0.5;
const NO_CORS: RequestMode = { crossOrigin: null, referrerPolicy: '' };

/**
 * The page's half of the Chromium gate. A held request has failed with an `error` event, which is hidden from the page here. A release
 * fetches the URL once with the marker (MemoryCacheWarmer) and makes the users ask again for the clean URL, which the memory cache answers
 * while that fetch is under way: one request on the wire, no marker in the page.
 *
 *     error -> held --release--> loading --> arrived: the user's own `load` follows
 *                                  |  ^
 *                                  v  | a held request answered
 *                                failed: the user's `error` is shown
 */
export function createContentGate(host: ContentGateHost): ContentGate {
  const heldUrls = new Set<string>();
  const releasedUrls = new Set<string>();
  /** Held by what was seen here alone: the background script has not named them. */
  const unconfirmed = new Set<string>();
  /** Released, but who uses it is not known yet: an element that the parser has not reached, or a style of a sheet that can not be read. */
  const unclaimed = new Set<string>();
  /** Used by an element's style, though no declaration that can be read names them. */
  const inUnreadStyle = new Set<string>();
  const usersByUrl = new Map<string, Set<ImageUser>>();
  /** Users that have to wait for what becomes of a fetch: their `error` was hidden, or they could not ask yet. */
  const inDoubt = new Map<ReleasedFetch, Set<ImageUser>>();
  /** Undoes what `givenUp` did to users. */
  const givenUp = new Map<ReleasedFetch, (() => void)[]>();
  /** The same as inDoubt, for styles. */
  const stylesInDoubt = new Set<string>();
  const timesHeldAgain = new Map<string, number>();
  /** Held, and not yet looked at. */
  const unjudged = new Set<string>();
  /** Released because they were seen in view, before the background script had told of the hold. */
  const releasedUntold = new Set<string>();
  /** Refused by the page's own policy: an `error`, but no hold. */
  const refused = new Set<string>();
  const judgePace = new Pace(JUDGE_SHARE);
  /** On the way before this document's images were held: an `error` of theirs is most likely a true one. */
  const passed = new Set<string>();
  let open = false;
  let isHolding = false;
  let judgeTimer: ReturnType<typeof setTimeout> | undefined;
  let confirmTimer: ReturnType<typeof setTimeout> | undefined;

  const warmer = new MemoryCacheWarmer({
    givenUp(fetch) {
      const users = [...fetch.users, ...(inDoubt.get(fetch) ?? [])];
      givenUp.set(fetch, users.filter((user) => heldUrlOf(user) === fetch.url && !hasImage(user)).map(stopAsking));
    },
    restarted(fetch) {
      for (const giveBack of givenUp.get(fetch) ?? []) giveBack();
      givenUp.delete(fetch);
      const doubtful = inDoubt.get(fetch);
      inDoubt.delete(fetch);
      for (const user of new Set([...fetch.users, ...(doubtful ?? [])])) askFor(fetch, user);
      if (styles.mayName(fetch.url)) styles.redeclare(fetch.url);
    },
    settled(fetch) {
      const hasArrived = fetch.state === 'arrived';
      for (const user of fetch.users) if (user instanceof HTMLLinkElement) show(user, hasArrived ? 'load' : 'error');
      if (hasArrived) {
        // those that asked in time get their `load` now; the others have to ask once more
        setTimeout(() => {
          for (const user of inDoubt.get(fetch) ?? []) askFor(fetch, user);
          inDoubt.delete(fetch);
        }, LOAD_EVENTS_MS);
      } else {
        for (const user of inDoubt.get(fetch) ?? []) show(user, 'error');
        inDoubt.delete(fetch);
      }
      if (stylesInDoubt.delete(fetch.url) && hasArrived) styles.redeclare(fetch.url);
      loadEvent.settled();
      host.changed();
    },
  });
  const loadEvent = new LoadEventKeeper(() => heldUrls.size + warmer.loadingCount);
  const buttons = new ImageButtons();
  const shadowRoots = new ShadowRoots((root) => {
    watchErrors(root);
    // what failed in it before it was known
    for (const image of root.querySelectorAll('img')) {
      const url = image.complete && image.naturalWidth === 0 ? heldUrlOf(image) : null;
      if (url !== null) holdFor(url, image);
    }
    for (const url of unclaimed) if (styles.mayName(url)) fetchFor(url, 'auto');
  });
  const styles = new StyleRedeclarer(() => [document, ...shadowRoots]);
  markIcons();

  function watchErrors(root: Window | ShadowRoot): void {
    root.addEventListener(
      'error',
      (event) => {
        const user = event.target;
        // one that a script dispatches is not about a request
        if (!event.isTrusted || !(user instanceof Element)) return;
        const url = heldUrlOf(user);
        if (url === null) return;
        onError(event, url, user as ImageUser);
      },
      true,
    );
  }
  watchErrors(window);

  document.addEventListener(
    'load',
    (event) => {
      for (const users of inDoubt.values()) users.delete(event.target as ImageUser);
    },
    true,
  );

  window.addEventListener('securitypolicyviolation', ({ blockedURI }) => refused.add(withoutFragment(blockedURI)), true);

  function onError(event: Event, url: string, user: ImageUser): void {
    if (refused.has(url)) return;
    const fetch = warmer.latest(url, requestModeOf(user));
    if (fetch?.users.has(user)) {
      if (fetch.state === 'failed') {
        // a later request of this user is a new one
        fetch.users.delete(user);
        return;
      }
      event.stopImmediatePropagation();
      if (fetch.state !== 'arrived') {
        addTo(inDoubt, fetch, user);
        return;
      }
    } else {
      event.stopImmediatePropagation();
    }
    holdFor(url, user);
  }

  function holdFor(url: string, user: ImageUser): void {
    addTo(usersByUrl, url, user);
    if (open || releasedUrls.has(url)) fetchFor(url, 'auto');
    else hold(url, false);
  }

  function askFor(fetch: ReleasedFetch, user: ImageUser): void {
    // one that has its image already, by a request of its own, would fire `load` once more
    if (heldUrlOf(user) !== fetch.url || hasImage(user)) return;
    buttons.askedAgain(user);
    askAgain(user);
  }

  function hold(url: string, confirmed: boolean): void {
    if (confirmed) unconfirmed.delete(url);
    if (heldUrls.has(url)) return;
    heldUrls.add(url);
    if (!confirmed) unconfirmed.add(url);
    const isDoubtful = !confirmed && (!isHolding || passed.has(url));
    if (!isDoubtful) judgeSoon(url);
    if (!heldUrls.has(url)) return;
    if (isDoubtful) void confirm();
    else if (!confirmed) confirmTimer ??= setTimeout(() => void confirm(), UNCONFIRMED_MS);
    host.changed();
  }

  function judgeSoon(url: string): void {
    if (!isHolding || !host.isLaidOut()) return;
    unjudged.add(url);
    const waitMs = judgePace.waitMs();
    if (waitMs === 0) judge();
    else judgeTimer ??= setTimeout(judge, waitMs);
  }

  /** What is in view waits for no plan. What is held while a look is too soon is looked at together: each release dirties the layout. */
  function judge(): void {
    clearTimeout(judgeTimer);
    judgeTimer = undefined;
    const inView = new Map<string, Placement>();
    judgePace.run(() => {
      for (const url of unjudged) {
        const users = usersByUrl.get(url);
        const placement = users !== undefined ? host.placementInView(users) : styles.mayName(url) ? STYLED : null;
        if (placement !== null) inView.set(url, placement);
      }
    });
    unjudged.clear();
    releaseHere(inView, 'high');
  }

  function releaseHere(placements: ReadonlyMap<string, Placement>, urgency: FetchUrgency): void {
    if (!isHolding) return;
    const released = new Map([...placements].filter(([url]) => heldUrls.has(url)));
    for (const url of released.keys()) {
      if (unconfirmed.has(url)) releasedUntold.add(url);
      fetchFor(url, urgency);
    }
    if (released.size > 0) host.released(released);
  }

  /** Images that failed for another reason (the page's policy, another extension) are not ours to hold. */
  async function confirm(): Promise<void> {
    clearTimeout(confirmTimer);
    confirmTimer = undefined;
    if (unconfirmed.size === 0) return;
    const urls = [...unconfirmed];
    unconfirmed.clear();
    const fates = await askFates(urls);
    for (const url of urls) {
      // null: the background script is gone, and everything is about to be released
      if (fates === null || fates.get(url)?.heldMs !== null || !heldUrls.delete(url)) continue;
      passed.delete(url);
      for (const user of usersByUrl.get(url) ?? []) show(user, 'error');
      usersByUrl.delete(url);
    }
    loadEvent.settled();
  }

  function fetchFor(url: string, urgency: FetchUrgency): void {
    heldUrls.delete(url);
    unconfirmed.delete(url);
    releasedUrls.add(url);
    const users = [...(usersByUrl.get(url) ?? []), ...postersOf(url)];
    usersByUrl.delete(url);
    // all marked fetches are queued before the first clean request, so that each finds its own under way
    const fetches = users.map((user) => [warmer.fetch(url, requestModeOf(user), urgency), user] as const);
    const inStyle = styles.mayName(url);
    if (users.length === 0 && !inStyle) {
      if (document.readyState === 'loading' && !hasElement(url)) warmer.takePreload(url, modeOfUnseen(url));
      warmer.fetch(url, modeOfUnseen(url), urgency);
    }
    for (const [fetch, user] of fetches) {
      fetch.users.add(user);
      if (fetch.state === 'judging') addTo(inDoubt, fetch, user);
      else askFor(fetch, user);
    }
    if (inStyle) {
      const fetch = warmer.fetch(url, NO_CORS, urgency);
      if (fetch.state === 'judging') stylesInDoubt.add(url);
      else styles.redeclare(url);
    }
    if (inUnreadStyle.has(url)) {
      styles.redeclareUnread(url, () => warmer.fetch(url, NO_CORS, urgency));
    } else if (users.length === 0 && !inStyle) {
      seekUser(url);
    } else {
      unclaimed.delete(url);
    }
  }

  /** Released before, and asked for anew: an element tells by its `error`, but a style or a poster that came later tells nothing. */
  function heldAgain(url: string): void {
    const times = timesHeldAgain.get(url) ?? 0;
    if (times >= MAX_HELD_AGAIN) return;
    timesHeldAgain.set(url, times + 1);
    const posters = postersOf(url);
    const inStyle = styles.mayName(url);
    const fetch = warmer.latest(url, NO_CORS);
    if (fetch?.state === 'loading' || fetch?.state === 'judging') {
      // the held request may be the one that this fetch will fail with; to ask before that is known would be held again
      if (inStyle) stylesInDoubt.add(url);
      for (const video of posters) addTo(inDoubt, fetch, video);
    } else if (inStyle || inUnreadStyle.has(url) || posters.length > 0) {
      fetchFor(url, 'auto');
    } else {
      seekUser(url);
    }
  }

  function seekUser(url: string): void {
    unclaimed.add(url);
    shadowRoots.searchSoon();
    // a search of the styles may be put off, or may come before the element; what is not found then is asked for by its user
    for (const delayMs of SEEK_USER_MS) setTimeout(() => host.changed(), delayMs);
  }

  /** What was held at the very end was never told: every image that has not come, and every style, asks once more. */
  function askForAllUnseen(): void {
    for (const image of document.images) {
      const url = image.complete && image.naturalWidth === 0 ? heldUrlOf(image) : null;
      if (url !== null && warmer.latest(url, requestModeOf(image)) === undefined) holdFor(url, image);
    }
    styles.redeclareAll((url) => warmer.latest(url, NO_CORS) === undefined);
  }

  /** Where all are held, no request of an element's own is open for longer; with the extension the browser may forget it. */
  function isAboutToBeHeld(image: HTMLImageElement): boolean {
    const url = isUnanswered(image) ? heldUrlOf(image) : null;
    return url !== null && !passed.has(url) && warmer.latest(url, requestModeOf(image)) === undefined;
  }

  return {
    // releases take the main thread already (docs/adr/0006)
    styleScanShare: 0.05,
    preloadsImages: false,
    held(urls) {
      for (const url of urls) {
        if (releasedUntold.delete(url)) continue;
        if (!releasedUrls.has(url)) {
          if (open) fetchFor(url, 'auto');
          else hold(url, true);
        } else {
          heldAgain(url);
        }
      }
    },
    release(url, urgency) {
      if (heldUrls.has(url)) fetchFor(url, urgency);
    },
    holding(on, rttMs, passedUrls) {
      isHolding = on && !open;
      styles.gatherMs = rttMs / 2;
      for (const url of passedUrls) passed.add(url);
      for (const url of heldUrls) if (!unconfirmed.has(url) || !passed.has(url)) judgeSoon(url);
    },
    releaseInView: (placements) => releaseHere(placements, 'high'),
    releaseAll() {
      open = true;
      isHolding = false;
      for (const url of [...heldUrls]) fetchFor(url, 'auto');
    },
    abandoned() {
      const lastMs = Date.now();
      const unheld = isHolding ? [...document.images].filter(isAboutToBeHeld) : [];
      setTimeout(() => {
        this.releaseAll();
        askForAllUnseen();
      }, RULES_OUTLIVE_MS);
      setTimeout(() => {
        warmer.restartUnanswered(lastMs - LAST_MOMENTS_MS);
        styles.restart((url) => performance.getEntriesByName(url).length === 0 && warmer.latest(url, NO_CORS) === undefined);
        const giveBack = unheld.filter(isUnanswered).map(stopAsking);
        setTimeout(() => {
          for (const ask of giveBack) ask();
        }, GIVE_UP_MS);
      }, UNANSWERED_MS);
    },
    wanted: () => new Set([...heldUrls, ...warmer.loadingUrls()]),
    unclaimed: () => new Set([...unclaimed, ...[...heldUrls].filter((url) => !usersByUrl.has(url))]),
    usedInStyle(url) {
      if (styles.mayName(url)) return;
      inUnreadStyle.add(url);
      if (!unclaimed.delete(url)) return;
      styles.redeclareUnread(url, () => warmer.fetch(url, NO_CORS, 'auto'));
    },
  };
}

/** An element may be there whose `error` is still on its way; a fetch in the wrong mode would be a second one. */
function modeOfUnseen(url: string): RequestMode {
  for (const image of document.querySelectorAll<HTMLImageElement>('img[crossorigin], img[referrerpolicy]')) {
    if (heldUrlOf(image) === url) return requestModeOf(image);
  }
  return NO_CORS;
}

/** Whether the parser has come to an element of this URL; it has then taken the preload. */
function hasElement(url: string): boolean {
  for (const image of document.images) if (heldUrlOf(image) === url) return true;
  return false;
}

function hasImage(user: ImageUser): boolean {
  return user instanceof HTMLImageElement && user.complete && user.naturalWidth > 0;
}

function isUnanswered(image: HTMLImageElement): boolean {
  return !image.complete && image.naturalWidth === 0;
}

function addTo<K>(usersBy: Map<K, Set<ImageUser>>, key: K, user: ImageUser): void {
  const users = usersBy.get(key) ?? new Set();
  users.add(user);
  usersBy.set(key, users);
}

/** The page's handlers get an event in place of the one that was hidden; it is not trusted, which no page has been seen to ask for. */
function show(user: ImageUser, type: 'load' | 'error'): void {
  user.dispatchEvent(new Event(type));
}
