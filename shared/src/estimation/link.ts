/** What is known of the access link; used to size windows, so a factor of two matters little. */
export interface LinkEstimate {
  readonly rateBitsPerSecond: number;
  readonly rttMs: number;
  /** From the first request to an origin until a connection with TLS is there: name, handshakes, and their queues. */
  readonly connectMs: number;
}

/** One finished transfer; times in milliseconds of one monotonic clock. */
export interface TransferSample {
  /** The request was sent (or queued for a connection). */
  readonly startMs: number;
  /** The first request to its origin, which waited for DNS and a connection too. */
  readonly newOrigin: boolean;
  /** The response's header arrived. */
  readonly headersMs: number;
  /** The last byte arrived. */
  readonly endMs: number;
  readonly bytes: number;
}

/** Assumed until something was measured: a 3G link (1.6 Mbit/s, 150 ms), for which too small a window costs more than too large a one. */
export const INITIAL_LINK: LinkEstimate = { rateBitsPerSecond: 1_600_000, rttMs: 150, connectMs: 600 };

/** TCP handshake and request; DNS and TLS make it more, but a round trip too long costs less than one too short. */
const SETUP_RTTS = 2;
/** Of the last handshake in the mean of all. */
const CONNECT_WEIGHT = 1 / 4;
const BUCKET_MS = 100;
const WINDOW_BUCKETS = 5;
const HISTORY_BUCKETS = 300;
/** A page's first responses are ramping up; a rate over fewer bytes than this says more of slow start than of the link. */
const MIN_RATE_BYTES = 20_000;

/**
 * Estimates rate and RTT from finished transfers, as BBR does (draft-ietf-ccwg-bbr, sections on BBR.max_bw and BBR.min_rtt): the greatest
 * delivery rate and the least round trip seen lately, because queues and idle time only ever make them look worse.
 */
export class LinkEstimator {
  private readonly bytesByBucket = new Map<number, number>();
  /** Least round trip by period of the history's length: this one and the last one count. */
  private readonly minRttMsByPeriod = new Map<number, number>();
  private latestBucket = 0;
  private connectMs: number | null = null;

  /** The first answer of an origin with TLS has come, so long after the first request to it. */
  answeredFirst(elapsedMs: number): void {
    const connectMs = Math.max(0, elapsedMs - this.estimate().rttMs);
    this.connectMs = this.connectMs === null ? connectMs : this.connectMs + (connectMs - this.connectMs) * CONNECT_WEIGHT;
  }

  add(sample: TransferSample): void {
    const rttMs = (sample.headersMs - sample.startMs) / (sample.newOrigin ? SETUP_RTTS : 1);
    if (rttMs > 0) this.sawRtt(rttMs, Math.floor(sample.headersMs / (BUCKET_MS * HISTORY_BUCKETS)));
    if (sample.bytes <= 0 || sample.endMs < sample.headersMs) return;
    const first = Math.floor(sample.headersMs / BUCKET_MS);
    const last = Math.floor(sample.endMs / BUCKET_MS);
    const share = sample.bytes / (last - first + 1);
    for (let bucket = Math.max(first, last - HISTORY_BUCKETS); bucket <= last; bucket += 1) {
      this.bytesByBucket.set(bucket, (this.bytesByBucket.get(bucket) ?? 0) + share);
    }
    this.latestBucket = Math.max(this.latestBucket, last);
    this.forgetOld();
  }

  estimate(): LinkEstimate {
    let seenBytes = 0;
    for (const bytes of this.bytesByBucket.values()) seenBytes += bytes;
    return {
      rateBitsPerSecond: Math.round(seenBytes) < MIN_RATE_BYTES ? INITIAL_LINK.rateBitsPerSecond : this.maxRate(),
      rttMs: this.minRttMsByPeriod.size === 0 ? INITIAL_LINK.rttMs : Math.min(...this.minRttMsByPeriod.values()),
      connectMs: this.connectMs ?? INITIAL_LINK.connectMs,
    };
  }

  private sawRtt(rttMs: number, period: number): void {
    this.minRttMsByPeriod.set(period, Math.min(rttMs, this.minRttMsByPeriod.get(period) ?? rttMs));
    for (const other of this.minRttMsByPeriod.keys()) if (other < period - 1) this.minRttMsByPeriod.delete(other);
  }

  private maxRate(): number {
    let max = 0;
    for (const bucket of this.bytesByBucket.keys()) {
      let bytes = 0;
      for (let i = 0; i < WINDOW_BUCKETS; i += 1) bytes += this.bytesByBucket.get(bucket + i) ?? 0;
      max = Math.max(max, bytes);
    }
    return (max * 8 * 1000) / (BUCKET_MS * WINDOW_BUCKETS);
  }

  private forgetOld(): void {
    for (const bucket of this.bytesByBucket.keys()) {
      if (bucket < this.latestBucket - HISTORY_BUCKETS) this.bytesByBucket.delete(bucket);
    }
  }
}

/** Bandwidth-delay product in bytes: what must be in flight to keep the link busy. */
export function bdpBytes(link: LinkEstimate): number {
  return (link.rateBitsPerSecond / 8) * (link.rttMs / 1000);
}
