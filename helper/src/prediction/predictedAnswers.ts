import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf, withCookie } from '../../../shared/src/node/http/requestFields.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import { ClaimRecord, type Waste } from './claimRecord.ts';
import { isSameRequest, setsCookies, suits, type AnswerHead, type PredictedFetch } from './requestMatch.ts';
import type { ServerCookies } from './serverCookies.ts';

/** A request that was made before the browser asked. */
export interface PredictedRequest extends PredictedFetch {
  /** Absolute, without fragment. Only GET is foreseen. */
  readonly url: string;
  /** Origin of what names it: browsers keep what they fetch apart by site. */
  readonly partition: string;
  /** Origin of the page. */
  readonly page: string;
  /** Of the page and the server (`ClaimRecord`). */
  readonly direction: string;
  /** The document's load that it is for. */
  readonly load: number;
  /** The relay has asked for it already, in just these words. */
  readonly isPromised: boolean;
}

/** What the browser asks for. */
export interface BrowserRequest {
  readonly method: string;
  readonly url: string;
  readonly partition: string;
  /** End to end. */
  readonly headers: RawHeaders;
}

/** Why an answer is no longer kept. */
export type DropReason = 'unclaimed' | 'mismatch' | 'unsuitable' | 'full' | 'failed' | 'changed' | 'unnamed';

export interface Claim<Answer> {
  readonly answer: Answer;
  /**
   * Whether the answer, now that its fields are there, is one to the browser's request. To be asked once when they
   * come; if it is not, the browser's request has to be made by itself. Always true of an answer whose fields were
   * there when it was claimed.
   */
  suits(response: AnswerHead): boolean;
}

export interface PredictionLimits {
  /** Of all that is kept, and of what is kept for one partition. */
  readonly bytes: number;
  readonly partitionBytes: number;
  readonly count: number;
  readonly partitionCount: number;
  /** A page for which nothing has moved for so long is loaded. */
  readonly quietMs: number;
  /** The longest load. */
  readonly loadMs: number;
}

/** An answer that is kept, or under way; its changes are `PredictedAnswers`' own. */
export interface Prediction<Answer> {
  request: PredictedRequest;
  readonly answer: Answer;
  response: AnswerHead | null;
  bytes: number;
  readonly endsMs: number;
  /** Something else than the memory of its page, for this load, wants it too. */
  isShared: boolean;
  state: 'kept' | 'claimed' | 'dropped';
}

/** What is kept for one partition. */
interface Shelf<Answer> {
  readonly entries: Map<string, Prediction<Answer>>;
  /** Origins of the pages that load while anything moves here. */
  readonly pages: Set<string>;
  bytes: number;
  movedMs: number;
}

/**
 * Answers to foreseen requests, each for one request of the browser (TP). An answer lives as long as its document
 * loads: while anything is asked for or arrives for it; what nobody has claimed by then is dropped, and is waste that
 * teaches. What is kept is bounded in number and bytes. The answers themselves are the caller's: `dropped` tells it to
 * end and forget one.
 *
 * Times are milliseconds of a monotonic clock.
 */
export class PredictedAnswers<Answer> {
  private readonly limits: PredictionLimits;
  private readonly dropped: (answer: Answer, reason: DropReason) => void;
  private readonly serverCookies: Pick<ServerCookies, 'has'>;
  private readonly record = new ClaimRecord();
  private readonly shelves = new Map<string, Shelf<Answer>>();
  private bytes = 0;
  private kept = 0;

  constructor(limits: PredictionLimits, serverCookies: Pick<ServerCookies, 'has'>, dropped: (answer: Answer, reason: DropReason) => void) {
    this.limits = limits;
    this.serverCookies = serverCookies;
    this.dropped = dropped;
  }

  get waste(): Readonly<Waste> {
    return this.record.total;
  }

  /** When `advance` has something to do; null for never. */
  get nextTimerMs(): number | null {
    const times = [...this.shelves.values()].map(({ movedMs, entries }) => Math.min(movedMs + this.limits.quietMs, ...[...entries.values()].map(({ endsMs }) => endsMs)));
    return times.length === 0 ? null : Math.min(...times);
  }

  /**
   * Whether a request may be foreseen: earlier ones have not been in vain, there is room, and it is not there already.
   * To be asked before the request is made.
   */
  mayPut({ partition, url, direction }: Pick<PredictedRequest, 'partition' | 'url' | 'direction'>): boolean {
    const { bytes, partitionBytes, count, partitionCount } = this.limits;
    const shelf = this.shelves.get(partition);
    const hasRoom = this.kept < count && this.bytes < bytes && (shelf === undefined || (shelf.entries.size < partitionCount && shelf.bytes < partitionBytes && !shelf.entries.has(url)));
    return hasRoom && this.record.mayForesee(direction, url);
  }

  /** The request is made. @returns null, and nothing is kept, when it may not be */
  put(request: PredictedRequest, answer: Answer, nowMs: number): Prediction<Answer> | null {
    if (!this.mayPut(request)) return null;
    const endsMs = nowMs + this.limits.loadMs;
    const entry: Prediction<Answer> = { request, answer, response: null, bytes: 0, endsMs, isShared: false, state: 'kept' };
    const empty: Shelf<Answer> = { entries: new Map(), pages: new Set(), bytes: 0, movedMs: nowMs };
    const shelf = this.shelves.get(request.partition) ?? empty;
    this.shelves.set(request.partition, shelf);
    shelf.entries.set(request.url, entry);
    shelf.pages.add(request.page);
    shelf.movedMs = nowMs;
    this.kept += 1;
    this.record.foreseen(request.direction);
    return entry;
  }

  /** The answer's fields are there. */
  started(entry: Prediction<Answer>, response: AnswerHead): void {
    entry.response = response;
    if (entry.state === 'kept' && !suits(response, entry.request.headers, entry.request.headers)) this.drop(entry, 'unsuitable');
  }

  /** So many more bytes of it have come. An answer that would pass a bound is dropped. */
  received(entry: Prediction<Answer>, bytes: number, nowMs: number): void {
    this.moved(entry.request.partition, nowMs);
    const shelf = this.shelves.get(entry.request.partition);
    if (entry.state !== 'kept' || shelf === undefined) {
      this.record.total[entry.state === 'claimed' ? 'claimedBytes' : 'wastedBytes'] += bytes;
      return;
    }
    entry.bytes += bytes;
    shelf.bytes += bytes;
    this.bytes += bytes;
    if (this.bytes > this.limits.bytes || shelf.bytes > this.limits.partitionBytes) this.drop(entry, 'full');
  }

  /** @param rememberedFor the load for which the memory names it; null when a document or a style sheet does */
  named(url: string, rememberedFor: number | null): void {
    for (const entry of this.all(url)) entry.isShared ||= entry.request.load !== rememberedFor;
  }

  /** What is remembered of the page of this load is no part of it any more: drops it if nothing else wants it. */
  unnamed(url: string, load: number): void {
    for (const entry of this.all(url)) if (entry.request.load === load && !entry.isShared) this.drop(entry, 'unnamed');
  }

  failed(entry: Prediction<Answer>): void {
    if (entry.state === 'kept') this.drop(entry, 'failed');
  }

  /**
   * The browser sends these cookies to an origin now, for this partition: requests that have not left go with them.
   *
   * @param revise tells the request of an answer its new fields; whether it has not left
   */
  cookiesSent(partition: string, origin: string, cookie: string | null, revise: (answer: Answer, headers: RawHeaders) => boolean): void {
    for (const entry of this.shelves.get(partition)?.entries.values() ?? []) {
      const { url, headers, mode, isPromised } = entry.request;
      // what is asked for by CORS may be without cookies
      if (entry.response !== null || isPromised || mode.cors || originOf(url) !== origin || cookieOf(headers) === cookie) continue;
      const revised = withCookie(headers, cookie);
      if (revise(entry.answer, revised)) entry.request = { ...entry.request, headers: revised };
    }
  }

  /**
   * The answer for a request of the browser, if there is one; no answer is given twice. One that was for this URL, but
   * not for this request, is dropped: the browser asks for it now in another way, and not again.
   */
  claim({ method, url, partition, headers }: BrowserRequest, nowMs: number): Claim<Answer> | null {
    this.advance(nowMs);
    this.moved(partition, nowMs);
    const entry = this.shelves.get(partition)?.entries.get(url);
    if (entry === undefined || method === 'HEAD' || method === 'OPTIONS') return null;
    if (method !== 'GET') {
      // it may have changed what is there (RFC 9111, section 4.4)
      this.drop(entry, 'changed');
      return null;
    }
    const isFor = (response: AnswerHead): boolean => suits(response, headers, entry.request.headers, (cookie) => this.serverCookies.has(originOf(url), cookie));
    if (!isSameRequest(headers, entry.request) || (entry.response !== null && !isFor(entry.response))) {
      this.drop(entry, 'mismatch');
      return null;
    }
    this.take(entry, 'claimed');
    this.record.claimed(entry.bytes);
    return {
      answer: entry.answer,
      suits: (response) => {
        const isSuitable = isFor(response);
        if (!isSuitable) this.record.misjudged(entry.request.direction);
        return isSuitable;
      },
    };
  }

  /** Something is asked for, or has come, for a page or a style sheet of this origin: it still loads. */
  moved(origin: string, nowMs: number): void {
    for (const [partition, shelf] of this.shelves) if (partition === origin || shelf.pages.has(origin)) shelf.movedMs = nowMs;
  }

  /** Drops what nobody has claimed while its document was loading. */
  advance(nowMs: number): void {
    for (const { entries, movedMs } of [...this.shelves.values()]) {
      const isLoaded = movedMs + this.limits.quietMs <= nowMs;
      for (const entry of [...entries.values()]) if (isLoaded || entry.endsMs <= nowMs) this.drop(entry, 'unclaimed');
    }
  }

  /** Nothing is wanted any more. */
  close(): void {
    for (const { entries } of [...this.shelves.values()]) for (const entry of [...entries.values()]) this.drop(entry, 'unclaimed');
  }

  /** Of this URL, of whatever partition. */
  private all(url: string): Prediction<Answer>[] {
    return [...this.shelves.values()].flatMap(({ entries }) => entries.get(url) ?? []);
  }

  private drop(entry: Prediction<Answer>, reason: DropReason): void {
    this.take(entry, 'dropped');
    const { direction, url, load } = entry.request;
    this.record.total.wastedBytes += entry.bytes;
    if (reason === 'unnamed') this.record.total.unnamed += 1;
    if (reason === 'unclaimed' || reason === 'unsuitable' || reason === 'unnamed') this.record.unclaimed(direction, url, load);
    // of cookies that were set in vain the server knows and the browser does not
    if (reason === 'mismatch' || (entry.response !== null && setsCookies(entry.response.headers))) this.record.misjudged(direction);
    this.dropped(entry.answer, reason);
  }

  private take(entry: Prediction<Answer>, state: 'claimed' | 'dropped'): void {
    const { partition, url } = entry.request;
    const shelf = this.shelves.get(partition);
    entry.state = state;
    this.bytes -= entry.bytes;
    this.kept -= 1;
    if (shelf === undefined) return;
    shelf.bytes -= entry.bytes;
    shelf.entries.delete(url);
    if (shelf.entries.size === 0) this.shelves.delete(partition);
  }
}
