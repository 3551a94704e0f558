/** A mark is the end of so much, or of this part of what may be on the way: each costs a PING and its answer. */
const MARK_BYTES = 16_384;
const MARKS_ON_THE_WAY = 8;
/** Most that wait for their answers. */
export const MAX_MARKS = 16;
/** Beyond what keeps the link busy, as a sample of the rate is below it whenever there was less to send. */
const FILL_BDPS = 1.25;
/** While the rate is still found to be greater, as a connection that begins doubles it; that is over when it has not grown by so much for so many round trips (BBR's startup). */
const [START_BDPS, GROWTH, PLATEAU_RTTS] = [2, 1.25, 3];
/** What is let go before anything is known: as much as TCP sends at first (RFC 6928), twice. */
const MIN_FILL_BYTES = 32_768;
/** For how long the greatest rate and the least round trip count (BBR's filters, draft-ietf-ccwg-bbr, section 5.5; the latter is longer than it takes BBR to empty the queue, each 5 to 10 s). */
const [RATE_MEMORY_MS, RTT_MEMORY_MS] = [10_000, 30_000];

interface Mark {
  readonly sentBytes: number;
  /** What had arrived when it was sent. */
  readonly arrivedBytes: number;
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

  get value(): number | null {
    return this.samples[0]?.value ?? null;
  }
}

/**
 * What of a connection is on its way, by marks in what is sent that the other side answers (PING, RFC 9113, section 6.7), and how much of what can wait may be (a scavenger, RFC 6817): what keeps the link busy, so that what
 * is found late waits for no queue before the bottleneck. No I/O and no clock: moments are arguments.
 */
export class OnTheWay {
  private sentBytes = 0;
  private arrivedBytes = 0;
  private markedBytes = 0;
  private readonly marks: Mark[] = [];
  private readonly rate = new Best((a, b) => a > b, RATE_MEMORY_MS);
  private readonly rtt = new Best((a, b) => a < b, RTT_MEMORY_MS);
  private grown = { rate: 0, atMs: 0 };
  private bdps = START_BDPS;

  sent(bytes: number): void {
    this.sentBytes += bytes;
  }

  /** @returns whether a mark is to be sent now; it is the next that is answered */
  mark(nowMs: number): boolean {
    if (this.marks.length >= MAX_MARKS || this.sentBytes - this.markedBytes < Math.max(MARK_BYTES, this.fillBytes / MARKS_ON_THE_WAY)) return false;
    this.markedBytes = this.sentBytes;
    this.marks.push({ sentBytes: this.sentBytes, arrivedBytes: this.arrivedBytes, atMs: nowMs });
    return true;
  }

  /** The oldest mark has been answered. */
  answered(nowMs: number): void {
    const mark = this.marks.shift();
    if (mark === undefined) return;
    this.arrivedBytes = mark.sentBytes;
    const ms = nowMs - mark.atMs;
    if (ms <= 0) return;
    this.rtt.add(ms, nowMs);
    const rate = (mark.sentBytes - mark.arrivedBytes) / ms;
    this.rate.add(rate, nowMs);
    if (rate > GROWTH * this.grown.rate) this.grown = { rate, atMs: nowMs };
    if (nowMs - this.grown.atMs > PLATEAU_RTTS * (this.rtt.value ?? ms)) this.bdps = FILL_BDPS;
  }

  /** Whether something that can wait may go. */
  get hasRoom(): boolean {
    return this.sentBytes - this.arrivedBytes < this.fillBytes;
  }

  private get fillBytes(): number {
    return Math.max(MIN_FILL_BYTES, this.bdps * (this.rate.value ?? 0) * (this.rtt.value ?? 0));
  }
}
