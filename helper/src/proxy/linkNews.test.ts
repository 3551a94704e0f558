import { expect, it } from 'vitest';
import { LinkEstimator } from '../../../shared/src/estimation/link.ts';
import { LinkNews } from './linkNews.ts';

const RATE = 1_600_000;

it('tells the least round trip, and the rate once it is measured, when they are others', () => {
  const told: (number | null)[][] = [];
  const link = new LinkEstimator();
  const inRates = (rate: number | null): number | null => rate && Math.round(rate / RATE);
  const news = new LinkNews(link, ({ rttMs, rateBitsPerSecond, seenBitsPerSecond }) => told.push([rttMs, inRates(rateBitsPerSecond), inRates(seenBitsPerSecond)]));
  let nowMs = 1_000;
  const bring = (rate: number): void => {
    link.add({ startMs: nowMs - 100, headersMs: nowMs, endMs: nowMs + 1_000, bytes: rate / 8, setup: 'none' });
    nowMs += 1_000;
    news.tell();
  };
  for (const rttMs of [100, 120]) {
    link.roundTrip(rttMs, nowMs);
    news.tell();
  }
  for (const rate of [RATE, 1.1 * RATE, 2 * RATE]) bring(rate);
  expect(told).toEqual([[100, null, null], [100, 1, 1], [100, 2, 2]]);
});
