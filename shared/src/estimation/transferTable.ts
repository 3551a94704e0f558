import { LRUCache } from 'lru-cache';
import { LAST_BYTES } from './bytes.ts';
import { patienceMs, type LinkEstimate } from './link.ts';

/** Of the time that connections took lately: an origin that takes so much longer is waited for no more. */
const CONNECT_LIMIT = 1.25;
/** A response that should have been here this much earlier, had it shared the link fairly, has stalled. */
const STALLED_MS = 3_000;
/** A page has some dozens; an origin that was forgotten is taken to be connecting once more. */
const MAX_ORIGINS = 2_000;

/** What is still to come of a transfer. */
export interface Coming {
  readonly bytes: number;
  /** Its origin has never answered, so its bytes come when a connection is there. */
  readonly isConnecting: boolean;
}

interface Transfer {
  readonly origin: string;
  readonly startMs: number;
  readonly expectedBytes: number;
  /** Content-Length (or the best guess) once the response has begun. */
  contentBytes: number | null;
  /** What should have arrived of it by now; may pass contentBytes. */
  receivedBytes: number;
}

/**
 * Everything that is on the way over the access link, and how much of it is still to come.
 *
 * The browser tells when a response begins and ends, not what lies between, so the open responses are taken to share
 * the estimated rate evenly (processor sharing): good enough to know when the link is about to run dry.
 */
export class TransferTable {
  private readonly open = new Map<string, Transfer>();
  private readonly answeredOrigins = new LRUCache<string, true>({ max: MAX_ORIGINS });
  /** When an origin that has not answered was first asked, in milliseconds. */
  private readonly askedMs = new LRUCache<string, number>({ max: MAX_ORIGINS });
  /** When an origin was last sending, in milliseconds. */
  private readonly sendingMs = new LRUCache<string, number>({ max: MAX_ORIGINS });
  private advancedMs = 0;

  /** Asked for. A key that is open already starts anew. */
  start(key: string, origin: string, expectedBytes: number, nowMs: number): void {
    this.open.set(key, { origin, startMs: nowMs, expectedBytes, contentBytes: null, receivedBytes: 0 });
    if (!this.answeredOrigins.has(origin) && !this.askedMs.has(origin)) this.askedMs.set(origin, nowMs);
  }

  /** Redirected: asked for again, of another origin. */
  move(key: string, origin: string, nowMs: number): void {
    const transfer = this.open.get(key);
    if (transfer === undefined) return;
    this.answered(transfer.origin);
    this.start(key, origin, transfer.expectedBytes, nowMs);
  }

  /** The response has begun; `contentBytes` is null where the server does not say. */
  responding(key: string, contentBytes: number | null, link: LinkEstimate, nowMs: number): void {
    this.advance(link, nowMs);
    const transfer = this.open.get(key);
    if (transfer === undefined) return;
    transfer.contentBytes = contentBytes ?? transfer.expectedBytes;
    this.answered(transfer.origin);
  }

  end(key: string, link: LinkEstimate, nowMs: number): void {
    this.advance(link, nowMs);
    this.open.delete(key);
  }

  /** Requests to an origin that have not ended. */
  openTo(origin: string): number {
    let count = 0;
    for (const transfer of this.open.values()) if (transfer.origin === origin) count += 1;
    return count;
  }

  /** Whether an origin has not answered yet, and may still be connecting. */
  isConnecting(origin: string, link: LinkEstimate, nowMs: number): boolean {
    if (this.answeredOrigins.has(origin)) return false;
    const askedMs = this.askedMs.get(origin);
    return askedMs === undefined || nowMs - askedMs <= CONNECT_LIMIT * link.connectMs;
  }

  /** What is still to come, by key; what hangs has nothing and is left out. */
  stillToCome(link: LinkEstimate, nowMs: number): Map<string, Coming> {
    this.advance(link, nowMs);
    // what a server that sends has not begun yet stands in its queue (HTTP/2), and comes
    const answerLimitMs = patienceMs(link);
    const comingByKey = new Map<string, Coming>();
    for (const [key, { origin, startMs, expectedBytes, contentBytes, receivedBytes }] of this.open) {
      const isConnecting = this.isConnecting(origin, link, nowMs);
      if (contentBytes === null && !isConnecting && nowMs - Math.max(startMs, this.sendingMs.get(origin) ?? 0) > answerLimitMs) continue;
      if (contentBytes !== null && receivedBytes - contentBytes > bytesIn(STALLED_MS, link)) continue;
      comingByKey.set(key, { bytes: contentBytes === null ? expectedBytes : Math.max(LAST_BYTES, contentBytes - receivedBytes), isConnecting });
    }
    return comingByKey;
  }

  private answered(origin: string): void {
    this.answeredOrigins.set(origin, true);
    this.askedMs.delete(origin);
  }

  private advance(link: LinkEstimate, nowMs: number): void {
    const elapsedMs = nowMs - this.advancedMs;
    this.advancedMs = nowMs;
    const responding = [...this.open.values()].filter(({ contentBytes }) => contentBytes !== null);
    if (elapsedMs <= 0) return;
    const receiving = responding.filter(({ contentBytes, receivedBytes }) => receivedBytes < (contentBytes ?? 0));
    const shareBytes = bytesIn(elapsedMs, link) / Math.max(1, receiving.length);
    for (const transfer of responding) transfer.receivedBytes += shareBytes;
    for (const { origin } of receiving) this.sendingMs.set(origin, nowMs);
  }
}

function bytesIn(ms: number, { rateBitsPerSecond }: LinkEstimate): number {
  return (rateBitsPerSecond / 8) * (ms / 1000);
}
