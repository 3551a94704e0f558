import { seenRate, type Arrival } from './seenRate.ts';

/** What is known of the access link; used to size windows, so a factor of two matters little. */
export interface LinkEstimate {
  readonly rateBitsPerSecond: number;
  readonly rttMs: number;
  /** From the first request to an origin until a connection with TLS is there: name, handshakes, and their queues. */
  readonly connectMs: number;
  /** Whether a handshake of TCP has lately waited in its queue for so long that it is as slow as it looks. */
  readonly isQueued?: boolean;
}

/** One finished transfer; times in milliseconds of one monotonic clock. */
export interface TransferSample {
  /** The request was sent (or queued for a connection). */
  readonly startMs: number;
  /** What had to be set up first: the first request to an origin waits for its name and a connection too. */
  readonly setup: 'none' | 'tcp' | 'tls';
  /** The response's header arrived. */
  readonly headersMs: number;
  /** The last byte arrived. */
  readonly endMs: number;
  readonly bytes: number;
}

/**
 * Assumed until something was measured: a 3G link (1.6 Mbit/s, 150 ms), for which too small a window costs more than
 * too large a one.
 */
export const INITIAL_LINK: LinkEstimate = { rateBitsPerSecond: 1_600_000, rttMs: 150, connectMs: 600 };
/**
 * Until something was measured, the link is taken to carry in a round trip no more than so many times what has come in
 * one: whatever else is asked for stands before handshakes on a slower link, or is dropped. BBR doubles in each round trip
 * of its start (draft-ietf-ccwg-bbr, section on Startup); less leaves a small queue. What a connection's first window
 * comes to a second is taken for no less on a link of longer round trips than on the one that is assumed: each of them
 * that it is learnt in costs more, and the link may be as fast (ADR 95).
 */
const STARTUP_GAIN = 1.5;
/** In a round trip, of a connection that has just been made (RFC 6928). */
export const INITIAL_WINDOW_BYTES = 14_600;

/**
 * From the end of an answer until the request that is released for it leaves: the event, a plan, the way back; measured
 * 5 to 15 ms.
 */
export const RELEASE_MS = 20;
/**
 * Handshakes (TLS 1.3) and the request; the name may be known, and a round trip too long costs less than one too short.
 */
const ROUND_TRIPS = { none: 1, tcp: 2, tls: 3 };
/** Of the last handshake in the mean of all. */
const CONNECT_WEIGHT = 1 / 4;
const BUCKET_MS = 100;
/**
 * So long that what a lost packet has kept back, and comes at a stroke, is no great part of it: over half a second a
 * drop-tail queue that overflows makes a link look almost twice as fast as it is, and what is then asked for makes it
 * overflow again. A history that is shorter counts as a whole, and as this long at least.
 */
const WINDOW_BUCKETS = 10;
const MIN_WINDOW_BUCKETS = 5;
const HISTORY_BUCKETS = 300;
/**
 * A page's first responses are ramping up; a rate over fewer bytes than this says more of slow start than of the link.
 */
export const MIN_RATE_BYTES = 40_000;
/** Of the latest transfers, so many say at what rate something was seen to come. */
const MAX_ARRIVALS = 128;

/** A round trip of no radio network. */
export const NEAR_MS = 20;

/** A queue of 64 kB is not so long on a link of 1.3 Mbit/s or more. */
const QUEUED_MS = 400;
/** More than a page begins with at one server. */
const LATEST_HANDSHAKES = 8;

const NOTHING_CAME = { sinceMs: -Infinity, bytes: 0, mostBytes: 0 };

/** Three packets: less may come at a stroke. */
const MIN_SINGLE_BYTES = 4_000;
/** So few say nothing, and no more than so many of the latest count. */
const MIN_SINGLE_TRANSFERS = 4;
const MAX_SINGLE_TRANSFERS = 16;
/** Some may have been handed over at a stroke all the same. */
const SINGLE_QUANTILE = 0.75;

/**
 * Estimates rate and RTT from finished transfers, as BBR does (draft-ietf-ccwg-bbr, sections on BBR.max_bw and
 * BBR.min_rtt): the greatest delivery rate and the least round trip seen lately, because queues and idle time only ever
 * make them look worse.
 *
 * A fast link is rarely busy for half a second, so single transfers tell of it too: what came of each in the time that
 * it took, which counts as a round trip at least, as a whole transfer may be handed over at once when the packet that
 * it waited for has come. The larger half counts: a small one tells of the round trip rather than of the rate.
 */
export class LinkEstimator {
  private readonly bytesByBucket = new Map<number, number>();
  /** Least round trip by period of the history's length: this one and the last one count. */
  private readonly minRttMsByPeriod = new Map<number, number>();
  /** What the latest took. */
  private handshakesMs: number[] = [];
  private arrivals: Arrival[] = [];
  private singleTransfers: { readonly bytes: number; readonly elapsedMs: number; readonly bucket: number }[] = [];
  private latestBucket = 0;
  /** What has come in this round trip, and the most that has come in any. */
  private came = NOTHING_CAME;
  private connectMs: number | null = null;
  private assumed = INITIAL_LINK;
  /** Asked for at each decision, and changed by few. */
  private latest: LinkEstimate | null = null;

  /** The link is taken to be so until something is measured. */
  assume(link: LinkEstimate): void {
    this.assumed = link;
    this.latest = null;
  }

  /** It is another link now. */
  forget(): void {
    this.bytesByBucket.clear();
    this.minRttMsByPeriod.clear();
    [this.handshakesMs, this.arrivals, this.singleTransfers, this.latestBucket, this.came, this.connectMs, this.latest] = [[], [], [], 0, NOTHING_CAME, null, null];
  }

  /** The first answer of an origin with TLS has come, so long after the first request to it. */
  answeredFirst(elapsedMs: number): void {
    const connectMs = Math.max(0, elapsedMs - this.estimate().rttMs);
    this.latest = null;
    this.connectMs = this.connectMs === null ? connectMs : this.connectMs + (connectMs - this.connectMs) * CONNECT_WEIGHT;
  }

  /** A handshake of TCP took so long: a round trip and the queue of the link, as no server has to think of it. */
  handshake(elapsedMs: number, nowMs: number): void {
    this.handshakesMs = [...this.handshakesMs, elapsedMs].slice(-LATEST_HANDSHAKES);
    this.roundTrip(elapsedMs, nowMs);
  }

  /** Something was answered after so long, at least a round trip. */
  roundTrip(rttMs: number, nowMs: number): void {
    if (rttMs <= 0) return;
    this.latest = null;
    const period = Math.floor(nowMs / (BUCKET_MS * HISTORY_BUCKETS));
    this.minRttMsByPeriod.set(period, Math.min(rttMs, this.minRttMsByPeriod.get(period) ?? rttMs));
    for (const other of this.minRttMsByPeriod.keys()) if (other < period - 1) this.minRttMsByPeriod.delete(other);
  }

  /** An answer has begun: told before its end, as a document may take long. */
  answered({ startMs, setup, headersMs }: Pick<TransferSample, 'startMs' | 'setup' | 'headersMs'>): void {
    this.roundTrip((headersMs - startMs) / ROUND_TRIPS[setup], headersMs);
  }

  /** The rate of what has come lately; null while too little has come to tell. */
  get measuredRate(): number | null {
    return this.hasRate ? this.estimate().rateBitsPerSecond : null;
  }

  /** What transfers alone have shown, without what a short round trip speaks for; null while too little has come to tell. */
  get shown(): LinkEstimate | null {
    const link = this.estimate();
    return this.hasRate ? { ...link, rateBitsPerSecond: Math.max(this.maxRate(), this.singleRate(link.rttMs)) } : null;
  }

  /**
   * As people are told of it: what was seen to come lately, in bits a second, and so never more than the link has; null
   * while too little has come. `estimate` may be twice as much, as what comes at a stroke counts for it.
   */
  get seenRate(): number | null {
    const { rttMs } = this.estimate();
    return seenRate(this.arrivals.map(({ fromMs, toMs, bytes }) => ({ fromMs: fromMs + rttMs, toMs, bytes })), MIN_RATE_BYTES);
  }

  /** So many bytes of bodies have come, of all transfers. */
  received(bytes: number, nowMs: number): void {
    const { sinceMs, bytes: before, mostBytes } = this.came;
    const isSame = nowMs - sinceMs <= this.estimate().rttMs + RELEASE_MS;
    const inRoundTrip = isSame ? before + bytes : bytes;
    this.came = { sinceMs: isSame ? sinceMs : nowMs, bytes: inRoundTrip, mostBytes: Math.max(mostBytes, inRoundTrip) };
    if (inRoundTrip > mostBytes) this.latest = null;
  }

  /** Whether a round trip was seen lately. */
  get isRttMeasured(): boolean {
    return this.minRttMsByPeriod.size > 0;
  }

  /** A transfer has ended. */
  add(sample: TransferSample): void {
    this.latest = null;
    this.answered(sample);
    if (sample.bytes <= 0 || sample.endMs < sample.headersMs) return;
    const first = Math.floor(sample.headersMs / BUCKET_MS);
    const last = Math.floor(sample.endMs / BUCKET_MS);
    const share = sample.bytes / (last - first + 1);
    for (let bucket = Math.max(first, last - HISTORY_BUCKETS); bucket <= last; bucket += 1) {
      this.bytesByBucket.set(bucket, (this.bytesByBucket.get(bucket) ?? 0) + share);
    }
    this.latestBucket = Math.max(this.latestBucket, last);
    this.arrivals.push({ fromMs: sample.startMs, toMs: sample.endMs, bytes: sample.bytes });
    if (sample.bytes >= MIN_SINGLE_BYTES) this.singleTransfers.push({ bytes: sample.bytes, elapsedMs: sample.endMs - sample.headersMs, bucket: last });
    this.forgetOld();
  }

  estimate(): LinkEstimate {
    return (this.latest ??= this.compute());
  }

  private get hasRate(): boolean {
    let seenBytes = 0;
    for (const bytes of this.bytesByBucket.values()) seenBytes += bytes;
    return Math.round(seenBytes) >= MIN_RATE_BYTES;
  }

  private compute(): LinkEstimate {
    const rttMs = this.minRttMsByPeriod.size === 0 ? this.assumed.rttMs : Math.min(...this.minRttMsByPeriod.values());
    return {
      rateBitsPerSecond: this.hasRate ? Math.max(this.maxRate(), this.singleRate(rttMs), this.isTooShortFor(rttMs) ? this.assumedRate(rttMs) : 0) : this.assumedRate(rttMs),
      rttMs,
      connectMs: this.connectMs ?? this.assumed.connectMs,
      ...(Math.max(...this.handshakesMs) - rttMs >= QUEUED_MS && { isQueued: true }),
    };
  }

  /**
   * Links with short round trips are mostly fast ones: so long the bandwidth-delay product is taken to be that of the
   * assumed link, and the rate not below its.
   */
  private assumedRate(rttMs: number): number {
    const rate = Math.max(1, this.assumed.rttMs / rttMs) * this.assumed.rateBitsPerSecond;
    // a near link is a fast one before anything has come
    if (this.came.mostBytes === 0 || rttMs <= NEAR_MS) return rate;
    const carriesIn = (ms: number, bytes: number): number => (STARTUP_GAIN * bytes * 8 * 1000) / (ms + RELEASE_MS);
    return Math.min(rate, Math.max(carriesIn(Math.min(rttMs, this.assumed.rttMs), INITIAL_WINDOW_BYTES), carriesIn(rttMs, this.came.mostBytes)));
  }

  /**
   * A near link carries a document in a few milliseconds: in the first half second its history tells of the server's
   * and the browser's time.
   */
  private isTooShortFor(rttMs: number): boolean {
    return rttMs <= NEAR_MS && this.historyBuckets() < MIN_WINDOW_BUCKETS;
  }

  private historyBuckets(): number {
    return this.latestBucket - Math.min(...this.bytesByBucket.keys()) + 1;
  }

  private maxRate(): number {
    const window = Math.max(MIN_WINDOW_BUCKETS, Math.min(WINDOW_BUCKETS, this.historyBuckets()));
    let max = 0;
    for (const bucket of this.bytesByBucket.keys()) {
      let bytes = 0;
      for (let i = 0; i < window; i += 1) bytes += this.bytesByBucket.get(bucket + i) ?? 0;
      max = Math.max(max, bytes);
    }
    return (max * 8 * 1000) / (BUCKET_MS * window);
  }

  private singleRate(rttMs: number): number {
    if (this.singleTransfers.length < MIN_SINGLE_TRANSFERS) return 0;
    const larger = [...this.singleTransfers].sort((a, b) => b.bytes - a.bytes).slice(0, Math.ceil(this.singleTransfers.length / 2));
    const rates = larger.map(({ bytes, elapsedMs }) => (bytes * 8 * 1000) / Math.max(elapsedMs, rttMs));
    return rates.sort((a, b) => a - b)[Math.round(SINGLE_QUANTILE * (rates.length - 1))] ?? 0;
  }

  private forgetOld(): void {
    const oldest = this.latestBucket - HISTORY_BUCKETS;
    for (const bucket of this.bytesByBucket.keys()) if (bucket < oldest) this.bytesByBucket.delete(bucket);
    this.arrivals = this.arrivals.filter(({ toMs }) => toMs >= oldest * BUCKET_MS).slice(-MAX_ARRIVALS);
    this.singleTransfers = this.singleTransfers.filter(({ bucket }) => bucket >= oldest).slice(-MAX_SINGLE_TRANSFERS);
  }
}

/** What an estimator says after one handshake, and nothing else. */
export function linkOfHandshake(rttMs: number): LinkEstimate {
  const estimator = new LinkEstimator();
  estimator.roundTrip(rttMs, 0);
  return estimator.estimate();
}

/**
 * Bandwidth-delay product in bytes: what must be on the way to keep the link busy. The way of a release is a part of
 * the delay.
 */
export function bdpBytes(link: LinkEstimate): number {
  return (link.rateBitsPerSecond / 8) * ((link.rttMs + RELEASE_MS) / 1000);
}

/** Servers that answer at all mostly do within so many round trips. */
const PATIENCE_RTTS = 4;
export const MIN_PATIENCE_MS = 250;

/** What is silent for so long, in milliseconds, is of a server that hangs: its bytes are not what the link will carry next, and keep nothing else waiting. */
export function patienceMs({ rttMs }: LinkEstimate): number {
  return Math.max(MIN_PATIENCE_MS, PATIENCE_RTTS * rttMs);
}
