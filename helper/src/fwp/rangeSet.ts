import type { ByteRange } from '../http/partialContent.ts';

/** Ranges of bytes, in order and apart. No I/O. */
export class RangeSet {
  private ranges: ByteRange[] = [];

  get all(): readonly ByteRange[] {
    return this.ranges;
  }

  /** Where the first one begins; null where there is none. */
  get first(): number | null {
    return this.ranges[0]?.first ?? null;
  }

  add({ first, end }: ByteRange): void {
    if (first >= end) return;
    const joined = this.ranges.filter((range) => range.first <= end && range.end >= first);
    this.remove({ first, end });
    const whole = { first: Math.min(first, ...joined.map((range) => range.first)), end: Math.max(end, ...joined.map((range) => range.end)) };
    this.ranges = [...this.ranges.filter((range) => range.end < whole.first || range.first > whole.end), whole].sort((a, b) => a.first - b.first);
  }

  remove({ first, end }: ByteRange): void {
    if (first >= end || !this.ranges.some((range) => range.first < end && range.end > first)) return;
    this.ranges = this.ranges.flatMap((range) => [{ first: range.first, end: Math.min(range.end, first) }, { first: Math.max(range.first, end), end: range.end }].filter((rest) => rest.first < rest.end));
  }

  /** What of a range is in here. */
  within({ first, end }: ByteRange): ByteRange[] {
    return this.ranges.map((range) => ({ first: Math.max(range.first, first), end: Math.min(range.end, end) })).filter((common) => common.first < common.end);
  }

  /** What is in here and not in another one. */
  without(other: RangeSet): ByteRange[] {
    const rest = new RangeSet();
    rest.ranges = [...this.ranges];
    for (const range of other.all) rest.remove(range);
    return rest.ranges;
  }
}
