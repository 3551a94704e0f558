import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Reassembly } from './reassembly.ts';

const MARKER = 0xee;
const LENGTH = 400;
/** No byte of it is a marker. */
const ORIGINAL = Buffer.from(Array.from({ length: LENGTH }, (_, place) => (place * 7) % 200));

const ranges = fc.array(fc.tuple(fc.nat(LENGTH - 1), fc.integer({ min: 1, max: 40 })), { maxLength: 12 }).map((all) => {
  const apart: { first: number; end: number }[] = [];
  for (const [first, length] of all.sort(([a], [b]) => a - b)) if (first >= (apart.at(-1)?.end ?? 0)) apart.push({ first, end: Math.min(LENGTH, first + length) });
  return apart;
});
/** What happens next, and how much of it. */
const step = fc.tuple(fc.constantFrom('read', 'told', 'patch', 'late', 'take'), fc.integer({ min: 1, max: 90 }), fc.nat(LENGTH - 1));

describe('Reassembly', () => {
  it('gives the original, each byte once and in order, nothing beyond the watermark and no placeholder, whatever comes when', () => {
    fc.assert(fc.property(fc.nat(50), ranges, fc.array(step, { maxLength: 120 }), (firstByte, lost, steps) => {
      const holes = lost.filter(({ first }) => first >= firstByte);
      const damaged = Buffer.from(ORIGINAL);
      for (const { first, end } of holes) damaged.fill(MARKER, first, end);
      const reassembly = new Reassembly(firstByte, LENGTH);
      let taken = firstByte;
      const act = (kind: string, bytes: number, place: number): void => {
        if (kind === 'read') reassembly.read(Buffer.from(damaged.subarray(reassembly.readBytes, reassembly.readBytes + bytes)));
        else if (kind === 'told') {
          const [before, through] = [reassembly.watermark, Math.min(LENGTH, reassembly.watermark + bytes)];
          expect(reassembly.told(through, holes.filter(({ first }) => first >= before && first < through))).toBe(true);
        } else if (kind === 'late') {
          // an original of which no hole was told is of no use, and does no harm
          reassembly.patch(place, Buffer.from(ORIGINAL.subarray(place, place + bytes)));
        } else if (kind === 'patch') {
          const { all } = reassembly.missing;
          const hole = all[place % Math.max(1, all.length)];
          if (hole !== undefined) reassembly.patch(hole.first, Buffer.from(ORIGINAL.subarray(hole.first, Math.min(hole.end, hole.first + bytes))));
        } else {
          const chunk = reassembly.take();
          if (chunk === null) return;
          expect(chunk.length).toBeGreaterThan(0);
          expect(chunk.equals(ORIGINAL.subarray(taken, taken + chunk.length))).toBe(true);
          taken += chunk.length;
          expect(taken).toBeLessThanOrEqual(Math.min(reassembly.watermark, reassembly.readBytes));
        }
        expect(reassembly.takenBytes).toBe(taken);
        expect(reassembly.waitingBytes).toBe(reassembly.readBytes - taken);
      };
      for (const [kind, bytes, place] of steps) act(kind, bytes, place);
      // when everything has come, everything goes
      act('read', LENGTH, 0);
      act('told', LENGTH, 0);
      while (reassembly.missing.first !== null) act('patch', LENGTH, 0);
      while (!reassembly.isWhole) act('take', 0, 0);
    }));
  });

  it.each<[string, number, readonly { first: number; end: number }[]]>([
    ['a watermark that falls', 9, []],
    ['a placeholder below the former watermark', 20, [{ first: 9, end: 12 }]],
    ['one that goes beyond the body', 20, [{ first: 15, end: LENGTH + 1 }]],
    ['one of nothing', 20, [{ first: 15, end: 15 }]],
  ])('believes nothing of %s', (_, watermark, holes) => {
    const reassembly = new Reassembly(10, LENGTH);
    reassembly.read(Buffer.alloc(30));
    expect(reassembly.told(watermark, holes)).toBe(false);
    expect(reassembly.take()).toBeNull();
  });
});
