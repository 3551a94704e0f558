import { LRUCache } from 'lru-cache';

/** How a server gives several ranges: in one answer, one by one, or not at all. */
export type RangeSupport = 'multipart' | 'single' | 'none';

/** One body that has come. */
export interface BodySample {
  readonly bytes: number;
  readonly durationMs: number;
  /** Placeholders in it; null where it came without repair. */
  readonly holes: number | null;
}

/** Of bodies with repair by which the next one without it is judged. */
const MAX_SAMPLES = 8;
const MIN_SAMPLES = 2;
/** Before a body comes without repair, so that its rate can be compared: by then what a slower one costs is little beside what all have gained. */
const CONTROL_AFTER_BYTES = 8 * 1024 * 1024;
/** Larger ones are not slowed to find out. */
const MAX_CONTROL_BYTES = 4 * 1024 * 1024;
/** Rates of bodies whose sizes differ by more are no comparison: slow start has another part in them. */
const SIZE_FACTOR = 4;
/** A server whose congestion control is as fast on a link that loses (BBR) has at least this part of the rate without repair. */
const NO_GAIN_RATIO = 0.95;
/** So much without a loss, and there is nothing to repair for a while. */
const CLEAN_BYTES = 16 * 1024 * 1024;
/** After which it is tried again where nothing was lost, no range was given or the driver refused. */
const AGAIN_MS = 5 * 60_000;
/** Servers and links change. */
const VERDICT_MS = 60 * 60_000;
const MAX_ORIGINS = 500;

interface Origin {
  readonly repaired: BodySample[];
  repairedBytes: number;
  cleanBytes: number;
  /** Until then its bodies come without repair. */
  offUntilMs: number;
  /** When one has come without repair, to compare. */
  comparedMs: number;
  ranges: RangeSupport | null;
  /** Until then what is known of its ranges holds. */
  rangesUntilMs: number;
}

/** What repair has gained with each origin, in memory alone. No I/O and no clock. */
export class OriginGain {
  private readonly origins = new LRUCache<string, Origin>({ max: MAX_ORIGINS });

  /** @returns `compare` where this body is to come without repair, and be measured */
  decide(origin: string, bytes: number, nowMs: number): 'repair' | 'compare' | 'leave' {
    const known = this.origins.get(origin);
    if (known === undefined) return 'repair';
    if (nowMs < known.offUntilMs || this.rangesOf(origin, nowMs) === 'none') return 'leave';
    const mayCompare = known.repairedBytes >= CONTROL_AFTER_BYTES && bytes <= MAX_CONTROL_BYTES && nowMs - known.comparedMs >= VERDICT_MS;
    return mayCompare && comparable(known, bytes).length >= MIN_SAMPLES ? 'compare' : 'repair';
  }

  /** How it gives ranges; null where that is not known (any more). */
  rangesOf(origin: string, nowMs: number): RangeSupport | null {
    const known = this.origins.get(origin);
    return known !== undefined && nowMs < known.rangesUntilMs ? known.ranges : null;
  }

  answered(origin: string, ranges: RangeSupport, nowMs: number): void {
    const known = this.of(origin);
    [known.ranges, known.rangesUntilMs] = [ranges, nowMs + (ranges === 'none' ? AGAIN_MS : VERDICT_MS)];
  }

  /** The driver can not fill its losses: such connections have no timestamps, or go by an interface that it is not on. */
  refused(origin: string, nowMs: number): void {
    this.of(origin).offUntilMs = nowMs + AGAIN_MS;
  }

  /** A body has come at its server's rate. */
  measured(origin: string, sample: BodySample, nowMs: number): void {
    const known = this.of(origin);
    const { bytes, holes } = sample;
    if (holes === null) {
      const before = comparable(known, bytes);
      const meanRate = before.reduce((sum, one) => sum + rateOf(one), 0) / before.length;
      known.comparedMs = nowMs;
      if (rateOf(sample) >= NO_GAIN_RATIO * meanRate) known.offUntilMs = nowMs + VERDICT_MS;
      return;
    }
    known.cleanBytes = holes === 0 ? known.cleanBytes + bytes : 0;
    if (known.cleanBytes >= CLEAN_BYTES) [known.cleanBytes, known.offUntilMs] = [0, nowMs + AGAIN_MS];
    // without a loss a rate tells nothing of repair
    if (holes === 0) return;
    known.repairedBytes += bytes;
    known.repaired.push(sample);
    if (known.repaired.length > MAX_SAMPLES) known.repaired.shift();
  }

  private of(origin: string): Origin {
    const known = this.origins.get(origin) ?? { repaired: [], repairedBytes: 0, cleanBytes: 0, offUntilMs: 0, comparedMs: -VERDICT_MS, ranges: null, rangesUntilMs: 0 };
    this.origins.set(origin, known);
    return known;
  }
}

function comparable({ repaired }: Origin, bytes: number): BodySample[] {
  return repaired.filter((sample) => sample.bytes <= SIZE_FACTOR * bytes && bytes <= SIZE_FACTOR * sample.bytes);
}

function rateOf({ bytes, durationMs }: BodySample): number {
  return bytes / Math.max(1, durationMs);
}
