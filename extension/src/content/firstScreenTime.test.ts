import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { firstScreenTime, type LoadRecords } from './firstScreenTime.ts';

const image = (url: string): NeededObject => ({ url, kind: 'image' });
const script = (url: string): NeededObject => ({ url, kind: 'script' });
const LOAD: LoadRecords = { documentMs: 200, domContentLoadedMs: 500, fcpMs: 600, lcpMs: 700, fontsMs: null, endsMs: new Map(), needed: [] };

describe('the time of a first screen', () => {
  it.each<[string, Partial<LoadRecords>, number]>([
    ['is that of the last image in view', { needed: [image('a'), image('b')], endsMs: new Map([['a', 900], ['b', 1_400]]) }, 1_400],
    ['does not wait for what it does not need', { needed: [image('a')], endsMs: new Map([['a', 900], ['far', 9_000]]) }, 900],
    ['is that of the largest paint when all had come before', { needed: [image('a')], endsMs: new Map([['a', 300]]) }, 700],
    ['is that of the first paint of a page of text', { lcpMs: null }, 600],
    ['is not before the last fonts are there', { fontsMs: 2_000 }, 2_000],
    ['is not before the document is whole', { documentMs: 3_000 }, 3_000],
    ['counts scripts that the parser waited for', { needed: [script('s')], endsMs: new Map([['s', 450]]), fcpMs: 100, lcpMs: 100 }, 450],
    ['and none that came after it', { needed: [script('s')], endsMs: new Map([['s', 5_000]]) }, 700],
    ['does not wait for the next picture of a slide show', { needed: [image('a')], endsMs: new Map([['a', 900]]), lcpMs: 6_000 }, 900],
    ['but for a paint that a late script has made', { needed: [image('a')], endsMs: new Map([['a', 900], ['late.js', 5_800]]), lcpMs: 6_000 }, 6_000],
  ])('%s', (_, records, isrtMs) => expect(firstScreenTime({ ...LOAD, ...records }).isrtMs).toBe(isrtMs));

  it('says which of the objects that count have no time', () => {
    const records = { ...LOAD, needed: [image('a'), image('b'), script('late')], endsMs: new Map([['a', 900], ['late', 5_000]]) };
    expect(firstScreenTime(records)).toMatchObject({ untimed: new Set(['b']) });
  });

  it('is never before an arrival that it needs, and no later than the last thing that happened', () => {
    const ms = fc.integer({ min: 1, max: 60_000 });
    const records = fc.record({ documentMs: ms, domContentLoadedMs: ms, fcpMs: ms, lcpMs: fc.option(ms), fontsMs: fc.option(ms), ends: fc.array(ms, { maxLength: 8 }), shown: fc.nat(8) });
    fc.assert(
      fc.property(records, ({ ends, shown, ...load }) => {
        const needed = ends.slice(0, shown).map((_, place) => image(String(place)));
        const { isrtMs } = firstScreenTime({ ...load, needed, endsMs: new Map(ends.map((end, place) => [String(place), end])) });
        for (const end of ends.slice(0, shown)) expect(isrtMs).toBeGreaterThanOrEqual(end);
        expect(isrtMs).toBeLessThanOrEqual(Math.max(load.documentMs, load.fcpMs, load.lcpMs ?? 0, load.fontsMs ?? 0, ...ends));
      }),
    );
  });
});
