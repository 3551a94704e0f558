import { expect, it } from 'vitest';
import { STATUS } from '../messages/testing.ts';
import { areAlike, keptLinkOf, type KeptLink } from './keptLink.ts';

const LINK: KeptLink = { rateBitsPerSecond: 1_600_000, rttMs: 150 };

it.each<[string, KeptLink | null, boolean]>([
  ['the same', LINK, true],
  ['one that was seen to bring half as much', { ...LINK, rateBitsPerSecond: 800_000 }, true],
  ['one that was seen to bring twice as much', { ...LINK, rateBitsPerSecond: 3_200_000 }, true],
  ['a faster one', { ...LINK, rateBitsPerSecond: 3_200_001 }, false],
  ['a slower one', { ...LINK, rateBitsPerSecond: 799_999 }, false],
  ['a nearer one', { ...LINK, rttMs: 74 }, false],
  ['a farther one', { ...LINK, rttMs: 301 }, false],
  ['one that nobody has measured', null, false],
])('%s: alike %s', (_, other, expected) => {
  expect([areAlike(LINK, other), areAlike(other, LINK)]).toEqual([expected, expected]);
});

it('what is not known is not like itself', () => expect(areAlike(null, null)).toBe(false));

it.each([
  [{ isRateMeasured: true, isRttMeasured: true }, LINK],
  [{ isRateMeasured: true, isRttMeasured: true, rateBitsPerSecond: 0.2, rttMs: 0.4 }, { rateBitsPerSecond: 1, rttMs: 1 }],
  [{ isRateMeasured: false, isRttMeasured: true }, null],
  [{ isRateMeasured: true, isRttMeasured: false }, null],
])('of what is measured (%j) %j is kept', (change, expected) => {
  expect(keptLinkOf({ ...STATUS.link, ...change })).toEqual(expected);
});
