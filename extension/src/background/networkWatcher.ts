import { LinkEstimator } from '../../../shared/src/estimation/link.ts';
import { documentKeyOf } from '../platform/documentKey.ts';
import type { DocumentKey } from '../platform/gate.ts';
import { withoutFragment } from '../urls/imageUrls.ts';
import { TabNetwork } from './tabNetwork.ts';

const ALL_URLS = { urls: ['http://*/*', 'https://*/*'] };

interface OpenRequest {
  readonly startMs: number;
  headersMs: number;
  bytes: number;
}

export interface NetworkEvents {
  /** A released image was requested, or has ended. */
  imageRequested(document: DocumentKey, url: string): void;
  imageEnded(document: DocumentKey, url: string): void;
  /** Something ended: there may be room for more. */
  tabChanged(tabId: number): void;
  /** The tab's main document is being replaced. */
  navigated(tabId: number): void;
}

/** Follows every request of every tab through webRequest (which only watches here): what is on the way, and how the link does. */
export class NetworkWatcher {
  readonly link = new LinkEstimator();
  private readonly tabs = new Map<number, TabNetwork>();
  private readonly open = new Map<string, OpenRequest>();
  private readonly events: NetworkEvents;

  constructor(events: NetworkEvents) {
    this.events = events;
  }

  /** Registers the listeners; call synchronously at the top level, so that a woken worker misses nothing. */
  listen(): void {
    const { webRequest } = chrome;
    webRequest.onBeforeRequest.addListener((details) => {
      this.onStart(details);
      return undefined;
    }, ALL_URLS);
    webRequest.onBeforeRedirect.addListener((details) => {
      // the gate has taken it: it never reaches the network
      if (details.redirectUrl.startsWith(chrome.runtime.getURL(''))) this.drop(details);
    }, ALL_URLS);
    webRequest.onResponseStarted.addListener((details) => this.onHeaders(details), ALL_URLS, ['responseHeaders']);
    webRequest.onCompleted.addListener((details) => this.onEnd(details, !details.fromCache), ALL_URLS);
    webRequest.onErrorOccurred.addListener((details) => this.onEnd(details, false), ALL_URLS);
  }

  tab(tabId: number): TabNetwork {
    let tab = this.tabs.get(tabId);
    if (tab === undefined) {
      tab = new TabNetwork();
      this.tabs.set(tabId, tab);
    }
    return tab;
  }

  forgetTab(tabId: number): void {
    this.tabs.delete(tabId);
  }

  private onStart(details: chrome.webRequest.OnBeforeRequestDetails): void {
    if (details.tabId < 0) return;
    // a navigation ends everything that the tab was fetching; their ends are not always told
    if (details.type === 'main_frame') {
      this.tabs.delete(details.tabId);
      this.events.navigated(details.tabId);
    }
    this.open.set(details.requestId, { startMs: details.timeStamp, headersMs: 0, bytes: 0 });
    if (details.type === 'image') this.events.imageRequested(documentKeyOf(details), withoutFragment(details.url));
    else this.tab(details.tabId).start(details.requestId, details.type, details.timeStamp);
  }

  private onHeaders(details: chrome.webRequest.OnResponseStartedDetails): void {
    const request = this.open.get(details.requestId);
    if (request === undefined) return;
    const bytes = contentLength(details.responseHeaders);
    request.headersMs = details.timeStamp;
    request.bytes = bytes ?? 0;
    if (details.type !== 'image') this.tab(details.tabId).headers(details.requestId, bytes);
  }

  private onEnd(details: EndDetails, overNetwork: boolean): void {
    const request = this.open.get(details.requestId);
    if (request === undefined) return;
    this.drop(details);
    if (overNetwork && request.headersMs > 0) {
      this.link.add({ startMs: request.startMs, headersMs: request.headersMs, endMs: details.timeStamp, bytes: request.bytes });
    }
    if (details.type === 'image') this.events.imageEnded(documentKeyOf(details), withoutFragment(details.url));
    this.events.tabChanged(details.tabId);
  }

  private drop(details: { readonly requestId: string; readonly tabId: number }): void {
    this.open.delete(details.requestId);
    this.tabs.get(details.tabId)?.end(details.requestId);
  }
}

interface EndDetails {
  readonly requestId: string;
  readonly tabId: number;
  readonly frameId: number;
  readonly documentId?: string;
  readonly type: string;
  readonly url: string;
  readonly timeStamp: number;
}

function contentLength(headers: readonly chrome.webRequest.HttpHeader[] | undefined): number | null {
  const value = headers?.find(({ name }) => name.toLowerCase() === 'content-length')?.value;
  const bytes = Number(value);
  return value !== undefined && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}
