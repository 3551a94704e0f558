import { expect, it } from 'vitest';
import type { CountedLoad, Measurement } from '../../messages/measuring.ts';
import { measuredPageOf } from './measuredPage.ts';

const LINK = { rateBitsPerSecond: 1_600_000, rttMs: 150 };
const NOW_MS = 1_700_000_000_000;
const PAIRS = [1, 2, 3, 4, 5, 6];
const loadOf = (pair: number, side: CountedLoad['side'], isrtMs: number): CountedLoad => ({ pair, side, load: 2 * pair, isrtMs, fcpMs: null, lcpMs: null, carried: { neededBytes: 100_000, otherBytes: 50_000 } });
const ENDED: Measurement = {
  url: 'https://a.test/page', options: { pairs: 6, visit: 'first', isCold: true }, asks: false, startedMs: 0, waitedMs: 0, plan: [], phase: { name: 'ended', why: 'complete' }, tabId: 1, isSeen: true, load: 12, bytesPerLoad: null,
  counted: PAIRS.flatMap((pair) => [loadOf(pair, 'with', 800), loadOf(pair, 'without', 1_000)]), dropped: [],
};

it('keeps what the pairs show, how many there are, the link and the time', () => {
  expect(measuredPageOf(ENDED, LINK, NOW_MS)).toEqual({
    page: 'https://a.test/page', atMs: NOW_MS, link: LINK, visit: 'first', isCold: true, pairs: 6, shows: 'sooner', ratio: { value: 0.8, low: 0.8, high: 0.8 }, mediansMs: { with: 800, without: 1_000 },
    stock: { firstScreenMs: 1_000, shares: { neededMs: 500, wasteMs: 250, idleMs: 250 } },
  });
});

it.each<[string, Partial<Measurement>]>([
  ['runs still', { phase: { name: 'loading', place: 3, attempt: 1, sinceMs: 0 } }],
  ['has too few pairs that count', { counted: ENDED.counted.slice(0, 11) }],
  ['has none', { counted: [] }],
  ['is of a page that can not be told from others', { url: 'https://a.test/?q=1' }],
])('keeps nothing of one that %s', (_, change) => {
  expect(measuredPageOf({ ...ENDED, ...change }, LINK, NOW_MS)).toBeNull();
});

it('of the loads without Firstscreen keeps the one in the middle, and none where nobody knows how fast the link was', () => {
  const [first, ...others] = PAIRS;
  const counted = [loadOf(first!, 'with', 800), loadOf(first!, 'without', 9_000), ...others.flatMap((pair) => [loadOf(pair, 'with', 800), loadOf(pair, 'without', 1_000 + pair)])];
  expect(measuredPageOf({ ...ENDED, counted }, LINK, NOW_MS)?.stock?.firstScreenMs).toBe(1_004);
  expect(measuredPageOf(ENDED, null, NOW_MS)?.stock).toBeNull();
});
