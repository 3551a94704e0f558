import { expect, it } from 'vitest';
import { INITIAL_LINK, bdpBytes } from '../estimation/link.ts';
import { windowsOf } from './admission.ts';

it.each([
  ['a bandwidth-delay product, and 48 kB', 1_600_000, 150, bdpBytes(INITIAL_LINK), 48_000],
  ['16 kB at least on a short link', 1_600_000, 30, 16_000, 48_000],
  ['less on a small one', 600_000, 30, 12_000, 36_000],
  ['and half of that at least', 50_000, 150, 8_000, 24_000],
])('windows are made of %s', (_text, rateBitsPerSecond, rttMs, bdp, leastUrgent) => {
  expect(windowsOf({ ...INITIAL_LINK, rateBitsPerSecond, rttMs })).toEqual({ bdp, leastUrgent });
});
