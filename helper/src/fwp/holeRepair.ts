import type { ByteRange } from '../http/partialContent.ts';
import type { RangeSupport } from './originGain.ts';
import { RangeSet } from './rangeSet.ts';
import { askRanges, type RangeOutcome, type RangeRequest, type Representation } from './rangeRequest.ts';
import type { SideConnections } from './sideConnections.ts';

/** What a part of its own costs over the link: its fields in the answer, and what names it in the request. Holes that are nearer to each other are asked for as one. */
const PART_BYTES = 256;
/** Of one request: servers refuse what looks like an attack (Apache, MaxRanges: 200). */
const MAX_RANGES = 64;
/** Where a server gives one range at a time. */
const MAX_SINGLE_REQUESTS = 4;
/** Requests in succession that have brought nothing. */
const MAX_FAILURES = 3;

export interface RepairLimits {
  /** Between questions to the driver: each costs both processes some 50 µs, and packets come one by one. */
  readonly questionMs: number;
  /** An original that was only overtaken by another segment comes within this time, and holes of one burst do. */
  readonly waitMs: number;
  /** After a failure that much longer. */
  readonly retryMs: number;
  /** A request is given up that nothing comes of for so long. */
  readonly silenceMs: number;
  /** An answer that one hole holds up for longer is fetched anew from there. */
  readonly holeMs: number;
}

interface HoleRepairHost {
  /** Placeholders that nothing has replaced. */
  readonly missing: RangeSet;
  patch(offset: number, bytes: Buffer): void;
  /** They can not be had. */
  failed(): void;
}

/**
 * Ranges to ask for, so that all of these come: those that are nearer to each other than what a part costs as one, and the nearest ones where there are too many, with what is between.
 *
 * @param most how many there may be, at least one
 */
export function joined(ranges: readonly ByteRange[], most: number): ByteRange[] {
  const gaps = ranges.slice(1).map(({ first }, before) => first - (ranges[before]?.end ?? 0));
  const least = [...gaps].sort((a, b) => b - a)[most - 1] ?? 0;
  const all: ByteRange[] = [];
  ranges.forEach((range, place) => {
    const before = all.at(-1);
    const gap = gaps[place - 1] ?? Infinity;
    if (before !== undefined && (gap <= PART_BYTES || gap <= least)) all[all.length - 1] = { first: before.first, end: range.end };
    else all.push(range);
  });
  return all;
}

/** Asks the server for what is missing of one body (FWP, section V-D): everything that nobody has asked for in one request, while that is under way the next gathers. Offsets are of the body. */
export class HoleRepair {
  private readonly representation: Representation;
  /** Where the body begins in the representation. */
  private readonly base: number;
  private readonly sides: SideConnections;
  private readonly limits: RepairLimits;
  private readonly host: HoleRepairHost;
  private ranges: Exclude<RangeSupport, 'none'>;
  private readonly asked = new RangeSet();
  private readonly requests = new Set<RangeRequest>();
  private underWay = 0;
  private failures = 0;
  private timer: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(representation: Representation, base: number, ranges: Exclude<RangeSupport, 'none'>, sides: SideConnections, limits: RepairLimits, host: HoleRepairHost) {
    [this.representation, this.base, this.ranges, this.sides, this.limits, this.host] = [representation, base, ranges, sides, limits, host];
  }

  /** Something may be missing now. */
  look(): void {
    if (this.isClosed || this.timer !== null || !this.hasRoom || this.host.missing.without(this.asked).length === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.ask();
    }, this.limits.waitMs + this.failures * this.limits.retryMs);
  }

  close(): void {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    for (const request of this.requests) request.stop();
  }

  private get hasRoom(): boolean {
    return this.underWay < (this.ranges === 'multipart' ? 1 : MAX_SINGLE_REQUESTS);
  }

  private ask(): void {
    const isMultipart = this.ranges === 'multipart';
    const ranges = joined(this.host.missing.without(this.asked), isMultipart ? MAX_RANGES : MAX_SINGLE_REQUESTS);
    for (const batch of isMultipart ? [ranges] : ranges.map((range) => [range])) if (this.hasRoom && batch.length > 0) void this.askFor(batch);
  }

  private async askFor(batch: readonly ByteRange[]): Promise<void> {
    for (const range of batch) this.asked.add(range);
    this.underWay += 1;
    const outcome = await this.sides.use(this.representation.request.origin, (connection) => this.outcomeOf(connection, batch)).catch((): RangeOutcome => 'lost');
    this.underWay -= 1;
    for (const range of batch) this.asked.remove(range);
    if (this.isClosed) return;
    const isFilled = batch.every((range) => this.host.missing.within(range).length === 0);
    // some servers take several ranges for none, or give the first
    const isSeveral = batch.length > 1 && (outcome === 'refused' || outcome === 'single');
    if (isFilled) this.failures = 0;
    else if (isSeveral) this.ranges = 'single';
    else if (outcome === 'refused' || (this.failures += 1) >= MAX_FAILURES) {
      this.host.failed();
      return;
    }
    this.look();
  }

  private async outcomeOf(connection: Parameters<typeof askRanges>[0], batch: readonly ByteRange[]): Promise<RangeOutcome> {
    // it may have waited for a connection until nobody wants it
    if (this.isClosed) return 'lost';
    const ranges = batch.map(({ first, end }) => ({ first: this.base + first, end: this.base + end }));
    const request = askRanges(connection, this.representation, ranges, (offset, bytes) => this.isClosed || this.host.patch(offset - this.base, bytes), this.limits.silenceMs);
    this.requests.add(request);
    const outcome = await request.outcome;
    this.requests.delete(request);
    return outcome;
  }
}
