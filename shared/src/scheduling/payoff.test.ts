import { expect, it } from 'vitest';
import { INITIAL_LINK } from '../estimation/link.ts';
import { doesHelpPay, verdictOf } from './payoff.ts';

it.each([
  ['a slow link', 1_600_000, [true, true], 'slow'],
  ['a link between slow and fast', 15_000_000, [true, false], null],
  ['a fast link', 25_000_000, [false, false], 'fast'],
])('help pays over %s (%i bit/s), if it paid before and if it did not, and what is remembered of it', (_, rateBitsPerSecond, expected, verdict) => {
  expect(verdictOf({ ...INITIAL_LINK, rateBitsPerSecond }, 0)).toBe(verdict);
  expect([true, false].map((didPay) => doesHelpPay({ ...INITIAL_LINK, rateBitsPerSecond }, didPay))).toEqual(expected);
});

it.each([
  [21, 40_000, 'slow'],
  [20, 299_999, null],
  [20, 300_000, 'slow'],
])('a link of %i ms is remembered as slow after %i bytes: %s', (rttMs, bytes, verdict) => {
  expect(verdictOf({ ...INITIAL_LINK, rttMs }, bytes)).toBe(verdict);
  expect(verdictOf({ ...INITIAL_LINK, rttMs, rateBitsPerSecond: 25_000_000 }, bytes)).toBe('fast');
});
