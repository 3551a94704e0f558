import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTooOld } from './ageLimit.ts';
import { DAY_MS, dayOf } from './cachedUntil.ts';

const NOW_MS = Date.parse('2026-11-01T12:00:00Z');

it.each([
  ['today', 0, false],
  ['60 days ago', 60, false],
  ['61 days ago', 61, true],
  ['tomorrow, as a clock was an hour ahead', -1, false],
  ['in a week, as a clock was wrong', -7, true],
])('%s', (_, ageDays, expected) => expect(isTooOld(dayOf(NOW_MS) - ageDays, NOW_MS)).toBe(expected));

it('whatever was kept is too old 61 days later, at the latest, and stays so', () => {
  fc.assert(
    fc.property(fc.nat(40_000), fc.nat(1000), fc.nat(DAY_MS - 1), (day, laterDays, partMs) => {
      const isOld = isTooOld(day, (day + laterDays) * DAY_MS + partMs);
      expect(isOld).toBe(laterDays > 60);
    }),
  );
});
