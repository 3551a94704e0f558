import type { MeasuredPage } from './measuredPages.ts';

/** For tests: a page of which Firstscreen was measured to make the first screen a fifth sooner, on a slow link. */
export function measuredPage(change: Partial<MeasuredPage> = {}): MeasuredPage {
  return {
    page: 'https://a.test/page', atMs: Date.UTC(2026, 10, 23, 9), link: { rateBitsPerSecond: 1_500_000, rttMs: 150 }, visit: 'first', isCold: true,
    pairs: 8, shows: 'sooner', ratio: { value: 0.8, low: 0.75, high: 0.82 }, mediansMs: { with: 2_000, without: 2_500 },
    stock: { firstScreenMs: 2_500, shares: { neededMs: 1_200, wasteMs: 800, idleMs: 500 } }, ...change,
  };
}

/** For tests: `storage.session` of a browser that has just started. */
export function fakeSession(): object {
  const stored = new Map<string, unknown>();
  return {
    get: (key: string) => Promise.resolve(stored.has(key) ? { [key]: stored.get(key) } : {}),
    set(items: object) {
      for (const [key, value] of Object.entries(items)) stored.set(key, value);
      return Promise.resolve();
    },
    remove: (key: string) => Promise.resolve(stored.delete(key)),
  };
}
