import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RangeSet } from './rangeSet.ts';

const range = fc.tuple(fc.nat(60), fc.nat(20)).map(([first, length]) => ({ first, end: first + length }));
const bytesOf = (ranges: readonly { readonly first: number; readonly end: number }[]): number[] => ranges.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, place) => first + place));

it('holds the bytes that were added and not removed, as ranges in order and apart', () => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.boolean(), range)), range, fc.array(range), (changes, window, others) => {
    const set = new RangeSet();
    const model = new Set<number>();
    for (const [isAdded, one] of changes) {
      set[isAdded ? 'add' : 'remove'](one);
      for (const byte of bytesOf([one])) model[isAdded ? 'add' : 'delete'](byte);
    }
    const expected = [...model].sort((a, b) => a - b);
    expect(bytesOf(set.all)).toEqual(expected);
    expect(set.all.slice(1).every(({ first }, before) => first > (set.all[before]?.end ?? Infinity))).toBe(true);
    expect(set.first).toBe(expected[0] ?? null);
    expect(bytesOf(set.within(window))).toEqual(expected.filter((byte) => byte >= window.first && byte < window.end));
    const other = new RangeSet();
    for (const one of others) other.add(one);
    expect(bytesOf(set.without(other))).toEqual(expected.filter((byte) => !bytesOf(other.all).includes(byte)));
  }));
});
