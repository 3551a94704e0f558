/** A mark is the end of so much, or of this part of what may be on the way: each costs a PING and its answer. */
const MARK_BYTES = 16_384;
const MARKS_ON_THE_WAY = 8;
/** The same while the rate is still found to be greater: what has no mark yet counts as on its way, and of the little that may be it must not be half. */
const START_MARK_BYTES = 4_096;
/** Most that wait for their answers. */
export const MAX_MARKS = 16;
/**
 * Beyond what keeps the link busy. Of what can wait: what is found late waits for no queue before the bottleneck (a scavenger, RFC 6817). Of all else: BBR's start has 2.9 round trips' worth on the way, which overflows
 * the queue of an access link, and what comes behind a lost packet waits for it.
 */
const [WAITING_BDPS, BDPS] = [1.25, 1.5];
/** So much more may have arrived since the last answer: answers come in order, and one of what is behind a lost packet, or from a reader that is busy, comes late. */
const UNTOLD_BDPS = 2;
/** While the rate is still found to be greater, as that of a connection that begins; that is over when it has not grown by so much for so many round trips (BBR's startup). */
const [START_BDPS, GROWTH, PLATEAU_RTTS] = [1.5, 1.25, 3];
/** What is let go before anything is known: as much as TCP sends at first (RFC 6928), twice. */
const MIN_BYTES = 32_768;
/** For how long the greatest rate and the least round trip count. A connection in another network is another one. */
const [RATE_MEMORY_MS, RTT_MEMORY_MS] = [30_000, 300_000];
/** A rate is that of so long: answers that a busy reader gives late come close together. */
const [SAMPLE_RTTS, SAMPLE_MS] = [2, 200];

interface Mark {
  readonly sentBytes: number;
  readonly atMs: number;
}

/** The best of the samples of the last while. */
class Best {
  private readonly better: (a: number, b: number) => boolean;
  private readonly memoryMs: number;
  private samples: { readonly value: number; readonly atMs: number }[] = [];

  constructor(better: (a: number, b: number) => boolean, memoryMs: number) {
    [this.better, this.memoryMs] = [better, memoryMs];
  }

  add(value: number, atMs: number): void {
    this.samples = this.samples.filter((sample) => atMs - sample.atMs < this.memoryMs && this.better(sample.value, value));
    this.samples.push({ value, atMs });
  }

  get value(): number {
    return this.samples[0]?.value ?? 0;
  }
}

/**
 * What of a connection is on its way, by marks in what is sent that the other side answers (PING, RFC 9113, section 6.7), and how much may be. No I/O and no clock: moments are arguments, in milliseconds.
 */
export class OnTheWay {
  private sentBytes = 0;
  private markedBytes = 0;
  private readonly marks: Mark[] = [];
  /** What has arrived, and when that was answered; the last of them a sample's time ago is the first here. */
  private arrivals: Mark[] = [];
  private arrived: Mark = { sentBytes: 0, atMs: 0 };
  private readonly rate = new Best((a, b) => a > b, RATE_MEMORY_MS);
  private readonly rtt = new Best((a, b) => a < b, RTT_MEMORY_MS);
  private grown = { rate: 0, atMs: 0 };
  private isStarting = true;

  sent(bytes: number, nowMs: number): void {
    // the end of what was sent before has no mark
    if (this.marks.length === 0 && nowMs - this.arrived.atMs > SAMPLE_RTTS * this.rtt.value) this.arrive({ sentBytes: this.sentBytes, atMs: nowMs });
    this.sentBytes += bytes;
  }

  /** @returns whether a mark is to be sent now; it is the next that is answered. The first, behind nothing, tells the round trip */
  mark(nowMs: number): boolean {
    const isFirst = this.sentBytes === 0 && this.marks.length === 0;
    if (!isFirst && (this.marks.length >= MAX_MARKS || this.sentBytes - this.markedBytes < this.markBytes)) return false;
    this.markedBytes = this.sentBytes;
    this.marks.push({ sentBytes: this.sentBytes, atMs: nowMs });
    return true;
  }

  /** The oldest mark has been answered. */
  answered(nowMs: number): void {
    const mark = this.marks.shift();
    if (mark === undefined) return;
    this.rtt.add(nowMs - mark.atMs, nowMs);
    this.arrive({ sentBytes: mark.sentBytes, atMs: nowMs });
    const [first] = this.arrivals;
    if (first === undefined || nowMs <= first.atMs) return;
    const rate = (mark.sentBytes - first.sentBytes) / Math.max(nowMs - first.atMs, this.rtt.value);
    this.rate.add(rate, nowMs);
    if (rate > GROWTH * this.grown.rate) this.grown = { rate, atMs: nowMs };
    if (nowMs - this.grown.atMs > PLATEAU_RTTS * this.rtt.value) this.isStarting = false;
  }

  /** The least round trip; 0 while none is known. */
  get rttMs(): number {
    return this.rtt.value;
  }

  /** @param canWait whether something else may be found that is more urgent @returns whether more of it may go */
  hasRoom(canWait: boolean, nowMs: number): boolean {
    // where less may be on the way than before, its end may be beyond that and have no mark: no answer tells of it, and with what goes next there is one
    if (this.marks.length === 0) return true;
    const bytes = this.sentBytes - this.arrived.sentBytes;
    if (canWait) return bytes < this.bytesOf(WAITING_BDPS);
    const untold = Math.min(this.rate.value * Math.max(0, nowMs - this.arrived.atMs), UNTOLD_BDPS * this.rate.value * this.rtt.value);
    return bytes - untold < this.bytesOf(BDPS);
  }

  private arrive(arrived: Mark): void {
    this.arrived = arrived;
    this.arrivals.push(arrived);
    const sinceMs = arrived.atMs - Math.max(SAMPLE_MS, SAMPLE_RTTS * this.rtt.value);
    while ((this.arrivals[1]?.atMs ?? Infinity) <= sinceMs) this.arrivals.shift();
  }

  private get markBytes(): number {
    return this.isStarting ? START_MARK_BYTES : Math.max(MARK_BYTES, this.bytesOf(WAITING_BDPS) / MARKS_ON_THE_WAY);
  }

  private bytesOf(bdps: number): number {
    return Math.max(MIN_BYTES, (this.isStarting ? START_BDPS : bdps) * this.rate.value * this.rtt.value);
  }
}
