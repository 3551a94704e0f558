import type { NamedObject } from '../../../../shared/src/protocol/firstScreenTimingSchema.ts';
import type { CarriedBytes } from '../../messages/measuring.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import { WEB_URLS } from '../../urls/webUrls.ts';
import { contentLength } from '../contentLength.ts';

/** Nothing begins or ends for so long, and the network is at rest. */
const REST_MS = 1_500;
/** What is open for longer is a stream, or waits for news. */
const STREAM_MS = 10_000;
const MAIN_FRAME = 'main_frame';
/** The navigation was replaced by another one: nothing has failed. */
const ABORTED = /ABORTED/;
/** Chromium's net::ERR_NETWORK_CHANGED and its like, Firefox's NS_ERROR_OFFLINE. */
const NETWORK_CHANGED = /NETWORK_CHANGED|INTERNET_DISCONNECTED|OFFLINE/;

export interface TabTrafficEvents {
  /** The page was asked for by sending something. */
  posted(): void;
  /** The page could not be loaded. */
  failed(): void;
  networkChanged(): void;
}

interface Details {
  readonly requestId: string;
  readonly url: string;
  readonly tabId: number;
  readonly type: string;
  readonly method: string;
  readonly timeStamp: number;
}

interface Answered extends Details {
  readonly statusCode: number;
  readonly responseHeaders?: chrome.webRequest.HttpHeader[] | undefined;
  /** Firefox's, with headers. */
  readonly responseSize?: number;
  readonly fromCache?: boolean;
}

interface OpenRequest {
  /** As it was asked for first. */
  readonly url: string;
  readonly sinceMs: number;
}

/** Of the tab's load, that has come. */
interface Transfer {
  readonly url: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bytes: number;
  readonly isRefused: boolean;
}

export const NOTHING_CARRIED: CarriedBytes = { neededBytes: 0, otherBytes: 0 };

/**
 * What of the browser's requests decides about a measurement: whether the network is at rest, what a load of the tab
 * costs, and what disturbs it. It watches with and without Firstscreen alike, and only while something is measured.
 */
export class TabTraffic {
  /** The one that is measured in. */
  tabId: number | null = null;
  private readonly events: TabTrafficEvents;
  private readonly open = new Map<string, OpenRequest>();
  private transfers: Transfer[] = [];
  /** When the tab's document was asked for. */
  private documentMs: number | null = null;
  private changedMs = 0;
  /** Of the tab's load, as far as servers and browser tell. */
  bytes = 0;
  /** Whether another tab has asked for something during the load. */
  hadOthers = false;
  private stopListening: (() => void) | null = null;

  constructor(events: TabTrafficEvents) {
    this.events = events;
  }

  watch(nowMs: number): void {
    this.changedMs = nowMs;
    this.stopListening ??= this.listen();
  }

  stop(): void {
    this.stopListening?.();
    this.stopListening = null;
    this.tabId = null;
    this.open.clear();
  }

  loadBegins(): void {
    [this.bytes, this.hadOthers, this.transfers, this.documentMs] = [0, false, [], null];
  }

  isAtRest(nowMs: number): boolean {
    return nowMs - this.changedMs >= REST_MS && [...this.open.values()].every(({ sinceMs }) => nowMs - sinceMs > STREAM_MS);
  }

  /**
   * What of the tab's load had come so long after its beginning; bytes are taken to come evenly from when they were asked for.
   *
   * @param needed by the first screen
   */
  carriedUntil(afterMs: number, needed: readonly NamedObject[]): CarriedBytes {
    if (this.documentMs === null) return NOTHING_CARRIED;
    const untilMs = this.documentMs + afterMs;
    const toldBytes = new Map(needed.map(({ url, bytes }) => [url, bytes]));
    let [neededBytes, otherBytes] = [0, 0];
    for (const { url, fromMs, toMs, bytes } of this.transfers) {
      const share = toMs <= untilMs ? 1 : Math.max(0, (untilMs - fromMs) / (toMs - fromMs));
      const told = toldBytes.get(url);
      if (told === undefined) otherBytes += share * bytes;
      // a server does not always say how long an answer is
      else neededBytes += share * Math.max(bytes, told);
    }
    return { neededBytes: Math.round(neededBytes), otherBytes: Math.round(otherBytes) };
  }

  /**
   * When the last of these had come, after the load's beginning; 0 for none. Extensions are told of what style sheets of
   * other servers ask for, of which pages are not.
   */
  lastMs(urls: ReadonlySet<string>): number {
    const { documentMs } = this;
    return documentMs === null ? 0 : Math.max(0, ...this.transfers.flatMap(({ url, toMs, isRefused }) => (urls.has(url) && !isRefused ? toMs - documentMs : [])));
  }

  private listen(): () => void {
    const { onBeforeRequest, onCompleted, onErrorOccurred } = chrome.webRequest;
    const begun = (details: Details): undefined => this.begun(details);
    const completed = (details: Answered): void => this.completed(details);
    const failed = (details: Details & { readonly error: string }): void => this.failed(details);
    onBeforeRequest.addListener(begun, { urls: WEB_URLS });
    onCompleted.addListener(completed, { urls: WEB_URLS }, ['responseHeaders']);
    onErrorOccurred.addListener(failed, { urls: WEB_URLS });
    return () => {
      onBeforeRequest.removeListener(begun);
      onCompleted.removeListener(completed);
      onErrorOccurred.removeListener(failed);
    };
  }

  private begun({ requestId, url, tabId, type, method, timeStamp }: Details): undefined {
    this.changedMs = timeStamp;
    if (!this.open.has(requestId)) this.open.set(requestId, { url: withoutFragment(url), sinceMs: timeStamp });
    if (tabId !== this.tabId) this.hadOthers ||= tabId >= 0;
    else if (type === MAIN_FRAME) {
      this.documentMs ??= timeStamp;
      if (method !== 'GET') this.events.posted();
    }
  }

  private completed(details: Answered): void {
    const request = this.ended(details);
    if (details.tabId !== this.tabId) return;
    const bytes = details.responseSize ?? contentLength(details.responseHeaders) ?? 0;
    this.bytes += bytes;
    if (request !== undefined && details.fromCache !== true) this.transfers.push({ url: request.url, fromMs: request.sinceMs, toMs: details.timeStamp, bytes, isRefused: details.statusCode >= 400 });
    if (details.type === MAIN_FRAME && details.statusCode >= 400) this.events.failed();
  }

  private failed(details: Details & { readonly error: string }): void {
    this.ended(details);
    if (details.tabId !== this.tabId) return;
    if (NETWORK_CHANGED.test(details.error)) this.events.networkChanged();
    else if (details.type === MAIN_FRAME && !ABORTED.test(details.error)) this.events.failed();
  }

  private ended({ requestId, timeStamp }: Details): OpenRequest | undefined {
    const request = this.open.get(requestId);
    this.changedMs = timeStamp;
    this.open.delete(requestId);
    return request;
  }
}
