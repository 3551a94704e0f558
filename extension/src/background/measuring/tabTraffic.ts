/** Nothing begins or ends for so long, and the network is at rest. */
const REST_MS = 1_500;
/** What is open for longer is a stream, or waits for news. */
const STREAM_MS = 10_000;
const URLS = ['http://*/*', 'https://*/*'];
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
}

/**
 * What of the browser's requests decides about a measurement: whether the network is at rest, what a load of the tab
 * costs, and what disturbs it. It watches with and without Firstscreen alike, and only while something is measured.
 */
export class TabTraffic {
  /** The one that is measured in. */
  tabId: number | null = null;
  private readonly events: TabTrafficEvents;
  private readonly open = new Map<string, number>();
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
    [this.bytes, this.hadOthers] = [0, false];
  }

  isAtRest(nowMs: number): boolean {
    return nowMs - this.changedMs >= REST_MS && [...this.open.values()].every((sinceMs) => nowMs - sinceMs > STREAM_MS);
  }

  private listen(): () => void {
    const { onBeforeRequest, onCompleted, onErrorOccurred } = chrome.webRequest;
    const begun = (details: Details): undefined => this.begun(details);
    const completed = (details: Answered): void => this.completed(details);
    const failed = (details: Details & { readonly error: string }): void => this.failed(details);
    onBeforeRequest.addListener(begun, { urls: URLS });
    onCompleted.addListener(completed, { urls: URLS }, ['responseHeaders']);
    onErrorOccurred.addListener(failed, { urls: URLS });
    return () => {
      onBeforeRequest.removeListener(begun);
      onCompleted.removeListener(completed);
      onErrorOccurred.removeListener(failed);
    };
  }

  private begun({ requestId, tabId, type, method, timeStamp }: Details): undefined {
    this.changedMs = timeStamp;
    if (!this.open.has(requestId)) this.open.set(requestId, timeStamp);
    if (tabId !== this.tabId) this.hadOthers ||= tabId >= 0;
    else if (type === MAIN_FRAME && method !== 'GET') this.events.posted();
  }

  private completed(details: Answered): void {
    this.ended(details);
    if (details.tabId !== this.tabId) return;
    this.bytes += details.responseSize ?? contentLength(details.responseHeaders);
    if (details.type === MAIN_FRAME && details.statusCode >= 400) this.events.failed();
  }

  private failed(details: Details & { readonly error: string }): void {
    this.ended(details);
    if (details.tabId !== this.tabId) return;
    if (NETWORK_CHANGED.test(details.error)) this.events.networkChanged();
    else if (details.type === MAIN_FRAME && !ABORTED.test(details.error)) this.events.failed();
  }

  private ended({ requestId, timeStamp }: Details): void {
    this.changedMs = timeStamp;
    this.open.delete(requestId);
  }
}

function contentLength(headers: readonly chrome.webRequest.HttpHeader[] = []): number {
  const bytes = Number(headers.find(({ name }) => name.toLowerCase() === 'content-length')?.value);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}
