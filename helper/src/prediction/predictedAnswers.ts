import type { RawHeaders } from '../http/rawHeaders.ts';
import { PredictionScore, type Waste } from './predictionScore.ts';
import { isSameRequest, suitsBoth, suitsVary, type PredictedFetch } from './requestMatch.ts';

/** A request that was made before the browser asked. */
export interface PredictedRequest extends PredictedFetch {
  /** Absolute, without fragment. Only GET is predicted. */
  readonly url: string;
  /** Top-level site of the page it is for. */
  readonly partition: string;
  /** Pages that are made alike (`pageKeys(url).template`). */
  readonly pageKey: string;
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
export type DropReason = 'expired' | 'mismatch' | 'unsuitable' | 'full' | 'failed' | 'changed';

/** An answer that is kept, or under way. */
export interface Prediction {
  readonly request: PredictedRequest;
}

export interface Claim<Answer> {
  readonly answer: Answer;
  /**
   * Whether the answer, now that its fields are there, is one to the browser's request: its Vary may name a field in which the two differ, or it may be for these cookies alone. To be asked once when
   * they come; if it is not, the browser's request has to be made by itself. Always true of an answer whose fields were there when it was claimed.
   */
  suits(response: RawHeaders): boolean;
}

export interface PredictionLimits {
  /** Of all that is kept, and of what is kept for one partition. */
  readonly bytes: number;
  readonly partitionBytes: number;
  readonly count: number;
  readonly partitionCount: number;
  /** After an answer is complete. */
  readonly keptMs: number;
  /** For an answer to be complete. */
  readonly pendingMs: number;
}

interface Entry<Answer> extends Prediction {
  readonly answer: Answer;
  response: RawHeaders | null;
  bytes: number;
  expiresMs: number;
  state: 'kept' | 'claimed' | 'dropped';
}

/** An answer that says to come back another way, or later, is for whoever asked; the browser asks by itself. */
const UNSUITABLE_STATUS: ReadonlySet<number> = new Set([401, 407, 408, 421, 425, 429]);

/**
 * Answers to predicted requests (TP), each for one request of the browser that is the same in every way. What nobody claims is dropped in time and counted as waste; what is kept is
 * bounded in number and bytes. The answers themselves are the caller's: `dropped` tells it to end and forget one.
 *
 * Times are milliseconds of a monotonic clock.
 */
export class PredictedAnswers<Answer> {
  private readonly limits: PredictionLimits;
  private readonly dropped: (answer: Answer, reason: DropReason) => void;
  private readonly wallNow: () => number;
  private readonly score = new PredictionScore();
  /** By partition and URL, the oldest first. */
  private readonly kept = new Map<string, Entry<Answer>>();
  private bytes = 0;

  /** @param wallNow milliseconds of the wall clock, for the ages of answers */
  constructor(limits: PredictionLimits, dropped: (answer: Answer, reason: DropReason) => void, wallNow: () => number) {
    this.limits = limits;
    this.dropped = dropped;
    this.wallNow = wallNow;
  }

  get waste(): Readonly<Waste> {
    return this.score.total;
  }

  /** Of answers that nobody has claimed. */
  get heldBytes(): number {
    return this.bytes;
  }

  get count(): number {
    return this.kept.size;
  }

  /** When `advance` has something to do; null for never. */
  get nextTimerMs(): number | null {
    const times = [...this.kept.values()].map(({ expiresMs }) => expiresMs);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Whether predictions for pages of this kind have been worth their bytes. */
  mayPredict(pageKey: string): boolean {
    return this.score.mayPredict(pageKey);
  }

  /** Whether there is room for one more, and it is not there already. To be asked before the request is made. */
  hasRoomFor(partition: string, url: string): boolean {
    const ofPartition = this.ofPartition(partition);
    const bytes = ofPartition.reduce((sum, entry) => sum + entry.bytes, 0);
    return (
      !this.kept.has(keyOf(partition, url)) && this.kept.size < this.limits.count && ofPartition.length < this.limits.partitionCount && this.bytes < this.limits.bytes && bytes < this.limits.partitionBytes
    );
  }

  /** The request is made. @returns null, and nothing is kept, when there is no room */
  put(request: PredictedRequest, answer: Answer, nowMs: number): Prediction | null {
    if (!this.hasRoomFor(request.partition, request.url)) return null;
    const entry: Entry<Answer> = { request, answer, response: null, bytes: 0, expiresMs: nowMs + this.limits.pendingMs, state: 'kept' };
    this.kept.set(keyOf(request.partition, request.url), entry);
    this.score.predicted(request.pageKey);
    return entry;
  }

  /** The answer's fields are there. */
  started(prediction: Prediction, status: number, response: RawHeaders): void {
    const entry = this.entryOf(prediction);
    entry.response = response;
    if (entry.state === 'kept' && (status >= 500 || UNSUITABLE_STATUS.has(status) || !suitsVary(response, entry.request.headers, entry.request.headers))) this.drop(entry, 'unsuitable');
  }

  /** So many more bytes of it have come. An answer that would pass a bound is dropped. */
  received(prediction: Prediction, bytes: number): void {
    const entry = this.entryOf(prediction);
    if (entry.state !== 'kept') {
      this.score.fetched(entry.request.pageKey, bytes, entry.state === 'claimed');
      return;
    }
    const ofPartition = this.ofPartition(entry.request.partition).reduce((sum, each) => sum + each.bytes, 0);
    const isFull = this.bytes + bytes > this.limits.bytes || ofPartition + bytes > this.limits.partitionBytes;
    if (isFull) {
      this.score.fetched(entry.request.pageKey, bytes, false);
      this.drop(entry, 'full');
      return;
    }
    entry.bytes += bytes;
    this.bytes += bytes;
  }

  ended(prediction: Prediction, nowMs: number): void {
    this.entryOf(prediction).expiresMs = nowMs + this.limits.keptMs;
  }

  failed(prediction: Prediction): void {
    const entry = this.entryOf(prediction);
    if (entry.state === 'kept') this.drop(entry, 'failed');
  }

  /**
   * The answer for a request of the browser, if there is one; no answer is given twice. A prediction that was for this URL, but not for this request, is dropped: the browser asks for it now
   * in another way, and not again.
   */
  claim({ method, url, partition, headers }: BrowserRequest, nowMs: number): Claim<Answer> | null {
    this.advance(nowMs);
    const entry = this.kept.get(keyOf(partition, url));
    if (entry === undefined || method === 'HEAD' || method === 'OPTIONS') return null;
    if (method !== 'GET') {
      // it may have changed what is there (RFC 9111, section 4.4)
      this.drop(entry, 'changed');
      return null;
    }
    const suits = (response: RawHeaders): boolean => suitsBoth(response, headers, entry.request.headers, this.wallNow());
    const isSame = isSameRequest(headers, entry.request) && (entry.response === null || suits(entry.response));
    if (!isSame) {
      this.drop(entry, 'mismatch');
      return null;
    }
    this.take(entry, 'claimed');
    this.score.claimed(entry.request.pageKey);
    return { answer: entry.answer, suits };
  }

  /** Drops what nobody has claimed in time. */
  advance(nowMs: number): void {
    for (const entry of [...this.kept.values()]) if (entry.expiresMs <= nowMs) this.drop(entry, 'expired');
  }

  /** Nothing is wanted any more. */
  close(): void {
    for (const entry of [...this.kept.values()]) this.drop(entry, 'expired');
  }

  private drop(entry: Entry<Answer>, reason: DropReason): void {
    this.take(entry, 'dropped');
    this.dropped(entry.answer, reason);
  }

  private take(entry: Entry<Answer>, state: 'claimed' | 'dropped'): void {
    entry.state = state;
    this.kept.delete(keyOf(entry.request.partition, entry.request.url));
    this.bytes -= entry.bytes;
    this.score.fetched(entry.request.pageKey, entry.bytes, state === 'claimed');
  }

  private ofPartition(partition: string): Entry<Answer>[] {
    return [...this.kept.values()].filter(({ request }) => request.partition === partition);
  }

  private entryOf(prediction: Prediction): Entry<Answer> {
    return prediction as Entry<Answer>;
  }
}

function keyOf(partition: string, url: string): string {
  return `${partition} ${url}`;
}
