import type { CDPSession, Page, Request } from 'playwright-core';
import type { RequestEnd } from './artifacts.ts';
import { withoutFragment } from './requestRecorder.ts';
import { monotonicMs } from './wallClock.ts';

const MS_PER_SECOND = 1_000;
/** The answer had come, or was not waited for, and the browser itself did not want it: no fault of a network. */
const NOT_WANTED = /^net::ERR_(?:ABORTED|BLOCKED_BY_)/;

/**
 * What has become of a page's requests, as the browser tells it: for answers of which the link can not tell when they came, as their
 * streams are inside a relay's connection. Chromium's own times are CLOCK_MONOTONIC, the clock of the link. Of frames in other processes
 * only Playwright tells, and a moment later.
 */
export class RequestEnds {
  ended: RequestEnd[] = [];
  #urls = new Map<string, string>();
  #open = new Set<Request>();

  constructor(page: Page, session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, request, redirectResponse, timestamp }) => {
      if (redirectResponse) this.#add(redirectResponse.url, timestamp * MS_PER_SECOND);
      this.#urls.set(requestId, request.url);
    });
    session.on('Network.loadingFinished', ({ requestId, timestamp }) => {
      const url = this.#urls.get(requestId);
      if (url !== undefined) this.#add(url, timestamp * MS_PER_SECOND);
    });
    page.on('request', (request) => this.#open.add(request));
    page.on('requestfinished', (request) => this.#close(request, true));
    page.on('requestfailed', (request) => this.#close(request, NOT_WANTED.test(request.failure()?.errorText ?? '')));
  }

  /** Forgets what came before. */
  begin(): void {
    this.ended = [];
    this.#urls = new Map();
    this.#open = new Set();
  }

  /** URLs that the browser still waits for. */
  get open(): ReadonlySet<string> {
    return new Set([...this.#open].map((request) => withoutFragment(request.url())));
  }

  #close(request: Request, isEnd: boolean): void {
    this.#open.delete(request);
    if (isEnd) this.#add(request.url(), monotonicMs());
  }

  #add(url: string, atMs: number): void {
    this.ended.push({ url: withoutFragment(url), atMs });
  }
}
