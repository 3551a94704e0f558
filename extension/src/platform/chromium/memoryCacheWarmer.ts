import type { FetchUrgency } from '../../../../shared/src/protocol/page.ts';
import { askFates } from './fateQuestion.ts';
import { GIVE_UP_MS, type ImageUser, type RequestMode } from './imageUsers.ts';
import { RELEASE_MARKER } from './marker.ts';

/** An arrived image is kept this long for a user that asks late (the parser behind a blocking script, a style that is declared anew). */
const KEEP_ARRIVED_MS = 30_000;
/** A fetch that is answered by held requests again and again must end; each attempt takes some milliseconds. */
const MAX_ATTEMPTS = 6;

/** One marked fetch. `users` have asked again because of it, so what becomes of it becomes of them. */
export interface ReleasedFetch {
  readonly url: string;
  /** `judging`: has failed, and it is being asked whether that was only a held request; to ask for the URL now would be held once more. */
  readonly state: 'loading' | 'judging' | 'arrived' | 'failed';
  readonly users: Set<ImageUser>;
}

export interface WarmerHost {
  /** The fetch is to be given up by its users, until `restarted`. */
  givenUp(fetch: ReleasedFetch): void;
  /** A held request had answered for the fetch, which has begun anew: its users have to ask again. */
  restarted(fetch: ReleasedFetch): void;
  /** The fetch has arrived or failed. */
  settled(fetch: ReleasedFetch): void;
}

interface OwnFetch extends ReleasedFetch {
  state: ReleasedFetch['state'];
  startMs: number;
  /** Begins it once more. */
  attempt: (attempts: number) => void;
}

/**
 * Fetches released URLs into the renderer's memory cache, with the marker that passes the gate. The cache takes no notice of the marker, so:
 *
 * - a clean request that is made while the marked one is under way gets its answer;
 * - a marked request that is made while a clean one is being held (or has been left behind by the preload scanner) gets *its* answer, an
 *   error without any network. The background script can tell that from a true error, and then the fetch is made again.
 *
 * The memory cache keeps no strong reference of its own, so the images are kept here.
 */
export class MemoryCacheWarmer {
  private readonly fetches = new Map<string, OwnFetch>();
  private readonly loading = new Set<OwnFetch>();
  private readonly images = new Map<OwnFetch, HTMLImageElement>();
  private readonly host: WarmerHost;

  constructor(host: WarmerHost) {
    this.host = host;
  }

  /** Fetches that are under way. */
  get loadingCount(): number {
    return this.loading.size;
  }

  loadingUrls(): string[] {
    return [...this.loading].map(({ url }) => url);
  }

  /** The latest fetch of this URL in this mode. */
  latest(url: string, mode: RequestMode): ReleasedFetch | undefined {
    return this.fetches.get(keyOf(url, mode));
  }

  /** Begins a fetch, unless one is under way. What the memory cache has and may use it answers itself. */
  fetch(url: string, mode: RequestMode, urgency: FetchUrgency): ReleasedFetch {
    const key = keyOf(url, mode);
    const latest = this.fetches.get(key);
    if (latest !== undefined && this.loading.has(latest)) return latest;
    const fetch: OwnFetch = { url, state: 'loading', users: new Set(), startMs: 0, attempt: (attempts) => this.attempt(fetch, mode, urgency, attempts) };
    this.fetches.set(key, fetch);
    this.loading.add(fetch);
    fetch.attempt(1);
    return fetch;
  }

  /**
   * Begins anew what has begun since then and has shown nothing so far. Chromium gives no answer at all to some of the requests that it was
   * just sending when an extension that watches requests goes away; such a request hangs in the memory cache until nobody waits for it.
   *
   * @param sinceMs wall clock
   */
  restartUnanswered(sinceMs: number): void {
    const unanswered = [...this.loading].filter((fetch) => fetch.state === 'loading' && fetch.startMs >= sinceMs && this.images.get(fetch)?.naturalWidth === 0);
    for (const fetch of unanswered) {
      this.images.get(fetch)?.removeAttribute('src');
      this.host.givenUp(fetch);
    }
    setTimeout(() => {
      for (const fetch of unanswered) {
        fetch.attempt(1);
        this.host.restarted(fetch);
      }
    }, GIVE_UP_MS);
  }

  /**
   * Takes away what the preload scanner left behind: a preload that was held answers the next request for its URL, once, with its error. To find
   * that out by a failed fetch costs a turn of the main thread, which the page's scripts may keep busy for long.
   */
  takePreload(url: string, mode: RequestMode): void {
    imageFor(mode, 'auto').src = url;
  }

  private attempt(fetch: OwnFetch, mode: RequestMode, urgency: FetchUrgency, attempts: number): void {
    const startMs = Date.now();
    fetch.state = 'loading';
    fetch.startMs = startMs;
    const image = imageFor(mode, urgency);
    image.addEventListener('load', () => this.settle(fetch, 'arrived'), { once: true });
    image.addEventListener('error', () => void this.judge(fetch, startMs, attempts), { once: true });
    this.images.set(fetch, image);
    image.src = fetch.url + RELEASE_MARKER;
  }

  private async judge(fetch: OwnFetch, startMs: number, attempts: number): Promise<void> {
    fetch.state = 'judging';
    const fates = await askFates([fetch.url]);
    const releasedMs = fates?.get(fetch.url)?.releasedMs ?? Number.NEGATIVE_INFINITY;
    // without a background script nobody knows, and a few more attempts are the lesser evil; its rules may outlive it for a moment
    if (fates === null) await new Promise((resolve) => setTimeout(resolve, RULES_OUTLIVE_MS));
    const wentOut = fates === null ? attempts > 2 : releasedMs >= startMs - CLOCK_ERROR_MS;
    if (wentOut || attempts >= MAX_ATTEMPTS) {
      this.settle(fetch, 'failed');
      return;
    }
    fetch.attempt(attempts + 1);
    this.host.restarted(fetch);
  }

  private settle(fetch: OwnFetch, state: 'arrived' | 'failed'): void {
    fetch.state = state;
    this.loading.delete(fetch);
    setTimeout(() => this.images.delete(fetch), KEEP_ARRIVED_MS);
    this.host.settled(fetch);
  }
}

/** What is asked for while the browser takes an extension's rules and listeners away may get no answer, neither a good nor a bad one. */
export const RULES_OUTLIVE_MS = 250;
/** Browser and renderer process read one clock, to a millisecond. */
const CLOCK_ERROR_MS = 2;

function keyOf(url: string, mode: RequestMode): string {
  return `${mode.crossOrigin ?? '-'} ${mode.referrerPolicy} ${url}`;
}

function imageFor(mode: RequestMode, urgency: FetchUrgency): HTMLImageElement {
  const image = new Image();
  if (mode.crossOrigin !== null) image.crossOrigin = mode.crossOrigin;
  if (mode.referrerPolicy !== '') image.referrerPolicy = mode.referrerPolicy;
  image.fetchPriority = urgency;
  return image;
}
