import { expect, it } from 'vitest';
import { INITIAL_LINK, bdpBytes } from '../estimation/link.ts';
import { admitWithinWindow, windowsOf } from './admission.ts';
import { FetchClass } from './fetchObject.ts';

it.each([
  ['a bandwidth-delay product, and 48 kB', 1_600_000, 150, bdpBytes(INITIAL_LINK), 48_000],
  ['16 kB at least on a short link', 1_600_000, 30, 16_000, 48_000],
  ['less on a small one', 600_000, 30, 12_000, 36_000],
  ['and half of that at least', 50_000, 150, 8_000, 24_000],
])('windows are made of %s', (_text, rateBitsPerSecond, rttMs, bdp, leastUrgent) => {
  expect(windowsOf({ ...INITIAL_LINK, rateBitsPerSecond, rttMs })).toEqual({ bdp, leastUrgent });
});

it('and of a quarter where a handshake has waited in the queue of such a link', () => {
  const queued = (rateBitsPerSecond: number): ReturnType<typeof windowsOf> => windowsOf({ ...INITIAL_LINK, rateBitsPerSecond, isQueued: true });
  expect(queued(50_000)).toEqual({ bdp: 4_000, leastUrgent: 12_000 });
  expect(queued(600_000)).toEqual(windowsOf({ ...INITIAL_LINK, rateBitsPerSecond: 600_000 }));
});

it.each([
  ['what the link and its queue hold', 195_000, true],
  ['more than that, which is dropped there', 196_000, false],
])('of a link of 100 kB a round trip may be on the way: %s', (_text, bytes, mayGo) => {
  const link = { ...INITIAL_LINK, rttMs: 480, rateBitsPerSecond: 1_600_000 };
  const onTheWay = { urgentBytesToCome: [100_000, bytes - 100_000], otherBytesToCome: [], urgentWaitingBytes: 0, isUrgent: true, relayedOthers: 0, waitingLevel: Infinity };
  const image = { id: 1, origin: 'http://a.test', fetchClass: FetchClass.inView, index: 1, bytes: 10_000, isAwaited: true };
  expect(admitWithinWindow(() => link)(onTheWay)(image, { isMultiplexed: false, keepsOrder: false, otherCount: 0 })).toBe(mayGo);
});
