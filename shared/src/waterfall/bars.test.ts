import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginOf, coming, lanesOf, type LaneBar } from './bars.ts';

it.each([
  [[], [[10, 50]]],
  [[{ fromMs: 20, toMs: 30 }], [[10, 20], [30, 50]]],
  [[{ fromMs: 10, toMs: 30 }, { fromMs: 40, toMs: 50 }], [[30, 40]]],
])('bytes come between first and last, without the stops %j', (stops, expected) => expect(coming(10, 50, stops).map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(expected));

it('draws no two bars of a row over each other, every one once, on its own connection', () => {
  const requests = fc.array(fc.record({ server: fc.constantFrom('a', 'b'), connection: fc.constantFrom('1', '2'), waitsMs: fc.nat(100), startMs: fc.nat(1_000), lastsMs: fc.nat(500) }), { maxLength: 40 });
  fc.assert(fc.property(requests, (all) => {
    const bars: LaneBar[] = all.map(({ server, connection, waitsMs, startMs, lastsMs }) => ({ server, connection, waitFromMs: waitsMs < 2 ? null : startMs - waitsMs, startMs, firstByteMs: null, endMs: startMs + lastsMs, stops: [] }));
    const lanes = lanesOf(bars, () => null);
    expect(lanes.flatMap((lane) => lane.bars)).toHaveLength(all.length);
    expect(new Set(lanes.map(({ server, connection }) => `${server} ${connection}`)).size).toBe(lanes.length);
    for (const lane of lanes) {
      for (const row of Array.from({ length: lane.rows }, (_, place) => place)) {
        const inRow = lane.bars.filter((bar) => bar.row === row).toSorted((a, b) => beginOf(a) - beginOf(b));
        expect(inRow.length).toBeGreaterThan(0);
        inRow.forEach((bar, place) => {
          expect([bar.server, bar.connection]).toEqual([lane.server, lane.connection]);
          expect(beginOf(bar)).toBeGreaterThanOrEqual(inRow[place - 1]?.endMs ?? -Infinity);
        });
      }
    }
  }));
});
