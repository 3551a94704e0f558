import { expect, it, vi } from 'vitest';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { browsersLink, firstLink, keepLink, linkOf } from './linkStore.ts';

it('gives a new worker what the last one has measured', async () => {
  const stored: Record<string, unknown> = {};
  vi.stubGlobal('chrome', { storage: { session: { get: () => Promise.resolve(stored), set: (items: object) => Promise.resolve(Object.assign(stored, items)) } } });
  const link = { rateBitsPerSecond: 3_000_000, rttMs: 80, connectMs: 240, seenBitsPerSecond: 1_600_000 };
  keepLink(link);
  expect(await firstLink()).toEqual(link);
  stored['link'] = { ...link, rttMs: 'x' };
  expect(await firstLink()).toEqual({ ...INITIAL_LINK, seenBitsPerSecond: null });
});

it('asks the browser again in another network', () => {
  vi.stubGlobal('navigator', { connection: { downlink: 0.4, rtt: 350 } });
  expect(browsersLink()).toEqual({ ...INITIAL_LINK, rateBitsPerSecond: 400_000, rttMs: 350, seenBitsPerSecond: null });
});

it.each([
  [undefined, INITIAL_LINK],
  [{ downlink: 0, rtt: 0 }, INITIAL_LINK],
  [{ downlink: 10, rtt: 0 }, INITIAL_LINK],
  [{ downlink: 0.4, rtt: 350 }, { ...INITIAL_LINK, rateBitsPerSecond: 400_000, rttMs: 350 }],
])('the browser says %j of the link', (connection, expected) => expect(linkOf(connection)).toEqual(expected));
