import { LRUCache } from 'lru-cache';
import type { TransferSample } from '../../../shared/src/estimation/link.ts';
import { MAIN_FRAME, documentKeyOf, type DocumentDetails } from '../platform/documentKey.ts';
import { isImageType } from '../platform/gate.ts';
import { withoutFragment } from '../urls/imageUrls.ts';
import { WEB_URLS } from '../urls/webUrls.ts';
import { contentLength } from './contentLength.ts';
import { imageKey, type LinkTraffic } from './linkTraffic.ts';

/** What is forgotten is taken to need a handshake once more. */
const MAX_ORIGINS = 2_000;
/** A page's few larger files: enough to know a link by. */
const LAYOUT_FILES: chrome.webRequest.RequestFilter['types'] = ['main_frame', 'sub_frame', 'stylesheet', 'script', 'font'];

/**
 * How much is watched. Each event of a request is a message between two processes, which is felt where pages take half
 * a second (docs/adr/0018).
 */
export type WatchExtent = 'all' | 'layoutFiles' | 'nothing';

const FILTERS: Readonly<Record<WatchExtent, chrome.webRequest.RequestFilter | null>> = { all: { urls: WEB_URLS }, layoutFiles: { urls: WEB_URLS, types: LAYOUT_FILES }, nothing: null };

interface OpenRequest {
  /** Of the traffic: a released image is known by its URL, everything else by its request. */
  readonly key: string;
  readonly startMs: number;
  /** What has to be set up first (TransferSample). */
  readonly setup: TransferSample['setup'];
  headersMs: number;
  bytes: number;
}

export interface NetworkEvents {
  /** Something of the tab ended: there may be room for more. */
  tabChanged(tabId: number): void;
  /** More is known of the link. */
  answered(): void;
  /** So much has come over the network, as far as its length was told. */
  arrived(bytes: number): void;
  /** Some tab has asked for something. */
  requested(): void;
  /**
   * The tab's main document is being replaced by that of this URL, since `atMs`; told again at each redirection. Firefox
   * gathers its events, so the new document may be there by now.
   */
  navigated(tabId: number, url: string, isRedirected: boolean, method: string, atMs: number): void;
  /** The tab's main document asks for a font. */
  fontAsked(tabId: number, url: string): void;
}

/**
 * Follows the requests of all tabs through webRequest, which only watches here, and keeps the link's traffic up to
 * date.
 */
export class NetworkWatcher {
  private readonly open = new Map<string, OpenRequest>();
  private readonly knownOrigins = new LRUCache<string, true>({ max: MAX_ORIGINS });
  private readonly traffic: LinkTraffic;
  private readonly events: NetworkEvents;
  private extent: WatchExtent = 'nothing';
  /** Ends what is listened to. */
  private stop = (): void => undefined;

  constructor(traffic: LinkTraffic, events: NetworkEvents) {
    this.traffic = traffic;
    this.events = events;
  }

  /**
   * Call synchronously at the top level, so that a woken worker misses nothing. What is on the way is followed no more.
   */
  watch(extent: WatchExtent, nowMs: number): void {
    if (extent === this.extent) return;
    if (this.extent !== 'nothing') {
      this.stop();
      this.open.clear();
      this.traffic.forgetAll(nowMs);
    }
    this.extent = extent;
    const filter = FILTERS[extent];
    if (filter !== null) this.stop = this.listen(filter);
  }

  /** @returns ends it */
  private listen(filter: chrome.webRequest.RequestFilter): () => void {
    const { onBeforeSendHeaders, onResponseStarted, onCompleted, onErrorOccurred } = chrome.webRequest;
    const started = (details: RequestDetails): undefined => this.onStart(details);
    const answered = (details: chrome.webRequest.OnResponseStartedDetails): void => this.onHeaders(details);
    const completed = (details: RequestDetails & { readonly fromCache: boolean }): void => this.onEnd(details, !details.fromCache);
    const failed = (details: RequestDetails): void => this.onEnd(details, false);
    // what is held has not come so far: every gate takes a request before its headers are made
    onBeforeSendHeaders.addListener(started, filter);
    onResponseStarted.addListener(answered, filter, ['responseHeaders']);
    onCompleted.addListener(completed, filter);
    onErrorOccurred.addListener(failed, filter);
    return () => {
      onBeforeSendHeaders.removeListener(started);
      onResponseStarted.removeListener(answered);
      onCompleted.removeListener(completed);
      onErrorOccurred.removeListener(failed);
    };
  }

  private onStart(details: RequestDetails): undefined {
    const { requestId, tabId, type, url, timeStamp } = details;
    if (tabId < 0) return;
    // a page that is prerendered replaces nothing yet
    if (type === 'main_frame' && details.documentLifecycle !== 'prerender') {
      // a navigation ends everything that the tab was fetching; their ends are not always told
      this.traffic.forgetTab(tabId, timeStamp);
      this.events.navigated(tabId, url, this.open.has(requestId), details.method, timeStamp);
    }
    if (type === 'font' && details.frameId === MAIN_FRAME) this.events.fontAsked(tabId, url);
    const first = type === 'main_frame' ? undefined : this.open.get(requestId);
    const key = first?.key ?? this.begin(details);
    this.open.set(requestId, { key, startMs: timeStamp, headersMs: 0, bytes: 0, setup: this.setupFor(url) });
    if (first !== undefined) {
      this.traffic.redirected(key, url, timeStamp);
      // the origin that it came from has room
      this.events.tabChanged(tabId);
    }
    this.events.requested();
  }

  /** @returns the key by which the traffic knows it */
  private begin(details: RequestDetails): string {
    const { requestId, tabId, type, url, frameId, timeStamp } = details;
    if (!isImageType(type)) {
      this.traffic.started(requestId, tabId, type, url, frameId === MAIN_FRAME, timeStamp);
      return requestId;
    }
    if (this.traffic.seen(requestId)) return requestId;
    const document = documentKeyOf(details);
    const imageUrl = withoutFragment(url);
    const releasedKey = imageKey(document, imageUrl);
    if (this.traffic.seen(releasedKey)) return releasedKey;
    this.traffic.passed(document, requestId, tabId, imageUrl, timeStamp);
    return requestId;
  }

  private setupFor(url: string): TransferSample['setup'] {
    const { origin, protocol } = new URL(url);
    if (this.knownOrigins.has(origin)) return 'none';
    this.knownOrigins.set(origin, true);
    return protocol === 'https:' ? 'tls' : 'tcp';
  }

  private onHeaders(details: chrome.webRequest.OnResponseStartedDetails): void {
    const request = this.open.get(details.requestId);
    if (request === undefined) return;
    const contentBytes = contentLength(details.responseHeaders);
    request.headersMs = details.timeStamp;
    request.bytes = contentBytes ?? 0;
    const { startMs, setup } = request;
    if (!details.fromCache && !this.traffic.isCarried(details.url)) this.traffic.estimator.answered({ startMs, headersMs: details.timeStamp, setup });
    this.traffic.responding(request.key, contentBytes, details.timeStamp);
    this.events.answered();
    if (setup === 'none') return;
    if (setup === 'tls') this.traffic.estimator.answeredFirst(details.timeStamp - startMs);
    // what waited for the connection may go
    this.events.tabChanged(details.tabId);
  }

  private onEnd(details: RequestDetails, overNetwork: boolean): void {
    const request = this.open.get(details.requestId);
    if (request === undefined) {
      // it was let pass, and given up before it was on its way
      this.traffic.ended(details.requestId, details.timeStamp);
      return;
    }
    this.open.delete(details.requestId);
    this.traffic.ended(request.key, details.timeStamp);
    const { startMs, headersMs, bytes, setup } = request;
    if (overNetwork) this.events.arrived(bytes);
    if (overNetwork && headersMs > 0 && !this.traffic.isCarried(details.url)) this.traffic.estimator.add({ startMs, headersMs, endMs: details.timeStamp, bytes, setup });
    this.events.tabChanged(details.tabId);
  }
}

interface RequestDetails extends DocumentDetails {
  readonly requestId: string;
  /** Chromium's. */
  readonly documentLifecycle?: string;
  readonly type: string;
  readonly url: string;
  readonly method: string;
  readonly timeStamp: number;
}
