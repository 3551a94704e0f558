import { LRUCache } from 'lru-cache';
import { WEB_URLS } from '../urls/webUrls.ts';

/** Three round trips of a slow link; its queue is empty when a page begins. */
const BEAT_LIMIT_MS = 4_000;
/** A relay that has answered so lately is there. */
const BEAT_MS = 10_000;
/** A page that is not answered for so long may wait for a relay that has gone since. */
const PATIENCE_MS = 1_500;
/** As browsers call it when a proxy, or a server behind it, can not be reached. */
const PROXY_ERROR = /PROXY|TUNNEL/;

const MAX_AGAIN = 500;
/** More than anybody waits in at once. */
const MAX_TABS = 500;
/** By the user, or another page in its place. */
const STOPPED: ReadonlySet<string> = new Set(['net::ERR_ABORTED', 'NS_BINDING_ABORTED']);

const ANY_PAGES: chrome.webRequest.RequestFilter = { urls: WEB_URLS, types: ['main_frame'] };
const PAGES: chrome.webRequest.RequestFilter = { urls: ['https://*/*'], types: ['main_frame'] };
const ALL: chrome.webRequest.RequestFilter = { urls: ['https://*/*'] };

export interface RelayBeatsHost {
  /** Whether the relay answers in time. */
  isThere(limitMs: number): Promise<boolean>;
  /** Whether what a tab asks for goes by the relay: nothing of private windows and containers does. */
  goesByRelay(tabId: number): Promise<boolean>;
  /** The relay does not answer. @returns when requests go directly */
  lost(): Promise<void>;
  /** The relay can not do what a host needs. @returns when the browser goes there itself */
  leave(host: string): Promise<unknown>;
  /** Wall clock, in milliseconds. */
  now(): number;
}

/** A page that has been asked for and not been answered. */
interface Asked {
  readonly tabId: number;
  readonly url: string;
  /** Whether it may be asked for once more. */
  readonly isSafe: boolean;
}

/**
 * Notices that a relay is gone while requests go by it. Browsers go on directly by themselves where it refuses connections, but wait for minutes where nobody says anything, and show an error where it
 * refuses a host. So it is asked whether it is there when a page begins; and a page that has failed, or waits for one that is gone, is asked for once more when its way is the direct one.
 */
export class RelayBeats {
  private readonly host: RelayBeatsHost;
  private readonly pages = new Map<string, Asked>();
  /** What each tab has asked for last: who has gone elsewhere meanwhile is not led back. */
  private readonly latest = new LRUCache<number, Asked>({ max: MAX_TABS });
  /** Asked for once more: never a third time. */
  private readonly again = new LRUCache<string, true>({ max: MAX_AGAIN });
  private answeredMs = 0;
  private answers = 0;
  private isAsking = false;
  /** Pages that have failed, to be asked for again when it was the relay. */
  private readonly failures: Asked[] = [];
  private isWatching = false;

  private readonly begun = ({ requestId, tabId, url, method, documentLifecycle }: Pick<chrome.webRequest.OnBeforeRequestDetails, 'requestId' | 'tabId' | 'url' | 'method' | 'documentLifecycle'>): undefined => {
    // the tab shows another page, and may never show this one
    if (documentLifecycle === 'prerender') return;
    const page = { tabId, url, isSafe: method === 'GET' };
    this.latest.set(tabId, page);
    // what it was redirected from
    this.pages.delete(requestId);
    if (url.startsWith('http:')) return;
    this.pages.set(requestId, page);
    if (this.host.now() - this.answeredMs >= BEAT_MS) void this.ask();
    else setTimeout(() => void (this.pages.has(requestId) && this.ask()), PATIENCE_MS);
  };
  private readonly answered = ({ requestId, fromCache, tabId, url }: Pick<chrome.webRequest.OnResponseStartedDetails, 'requestId' | 'fromCache' | 'tabId' | 'url'>): void => {
    this.pages.delete(requestId);
    this.again.delete(keyOf(tabId, url));
    if (fromCache) return;
    this.answeredMs = this.host.now();
    this.answers += 1;
  };
  private readonly failed = ({ requestId, tabId, url, error }: Pick<chrome.webRequest.OnErrorOccurredDetails, 'requestId' | 'tabId' | 'url' | 'error'>): void => {
    const page = this.pages.get(requestId);
    this.pages.delete(requestId);
    if (PROXY_ERROR.test(error)) void this.refused(new URL(url).hostname, tabId, page);
    // whatever it is called, it may be the relay
    else if (page !== undefined && !STOPPED.has(error)) {
      this.failures.push(page);
      void this.ask();
    }
  };

  constructor(host: RelayBeatsHost) {
    this.host = host;
  }

  /** @param isRelayed whether requests go by the relay: nothing is listened to while they do not */
  watch(isRelayed: boolean): void {
    if (isRelayed === this.isWatching) return;
    this.isWatching = isRelayed;
    const { onBeforeRequest, onResponseStarted, onErrorOccurred } = chrome.webRequest;
    if (isRelayed) {
      this.answeredMs = this.host.now();
      onBeforeRequest.addListener(this.begun, ANY_PAGES);
      onResponseStarted.addListener(this.answered, PAGES);
      onErrorOccurred.addListener(this.failed, ALL);
    } else {
      onBeforeRequest.removeListener(this.begun);
      onResponseStarted.removeListener(this.answered);
      onErrorOccurred.removeListener(this.failed);
      this.pages.clear();
    }
  }

  private async refused(host: string, tabId: number, page: Asked | undefined): Promise<void> {
    // a private window's own proxy: its hosts are not to be in a script that the browser keeps. Of what workers ask for
    // no tab is told
    if (tabId >= 0 && !(await this.host.goesByRelay(tabId))) return;
    await this.host.leave(host);
    // where all fails it is the relay, not the host
    void this.ask();
    if (page !== undefined) await this.askAgain(page);
  }

  private async ask(): Promise<void> {
    if (this.isAsking || !this.isWatching) return;
    this.isAsking = true;
    const { answers } = this;
    const isThere = await this.host.isThere(BEAT_LIMIT_MS);
    this.isAsking = false;
    // a page that has come meanwhile says so as well
    if (isThere || this.answers > answers) this.answeredMs = this.host.now();
    else await this.lose();
    this.failures.length = 0;
  }

  private async lose(): Promise<void> {
    const waiting = [...this.failures, ...this.pages.values()];
    await this.host.lost();
    for (const page of waiting) void this.askAgain(page);
  }

  private async askAgain(page: Asked): Promise<void> {
    const { tabId, url, isSafe } = page;
    const key = keyOf(tabId, url);
    if (!isSafe || !(await this.host.goesByRelay(tabId)) || this.again.has(key) || this.latest.get(tabId) !== page) return;
    this.again.set(key, true);
    // the tab may be gone
    await chrome.tabs.update(tabId, { url }).catch(() => undefined);
  }
}

function keyOf(tabId: number, url: string): string {
  return `${tabId} ${url}`;
}
