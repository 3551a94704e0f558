import { expect, it } from 'vitest';
import { INITIAL_LINK } from '../estimation/link.ts';
import { doesHelpPay, isSoonThere } from './payoff.ts';

it.each([
  ['a slow link', 1_600_000, [true, true]],
  ['a link between slow and fast', 15_000_000, [true, false]],
  ['a fast link', 25_000_000, [false, false]],
])('help pays over %s (%i bit/s), if it paid before and if it did not', (_, rateBitsPerSecond, expected) => {
  expect([true, false].map((didPay) => doesHelpPay({ ...INITIAL_LINK, rateBitsPerSecond }, didPay))).toEqual(expected);
});

it('soon there is what the link brings in a quarter of a second', () => {
  expect(isSoonThere(49_999, INITIAL_LINK)).toBe(true);
  expect(isSoonThere(50_000, INITIAL_LINK)).toBe(false);
  expect(isSoonThere(1_000_000, { ...INITIAL_LINK, rateBitsPerSecond: 100_000_000 })).toBe(true);
});
