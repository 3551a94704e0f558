import type { MeasuredPage } from './measuredPages.ts';

/** For tests: a page of which Firstscreen was measured to make the first screen a fifth sooner, on a slow link. */
export function measuredPage(change: Partial<MeasuredPage> = {}): MeasuredPage {
  return {
    page: 'https://a.test/page', atMs: Date.UTC(2026, 10, 23, 9), link: { rateBitsPerSecond: 1_500_000, rttMs: 150 }, visit: 'first', isCold: true,
    pairs: 8, shows: 'sooner', ratio: { value: 0.8, low: 0.75, high: 0.82 }, mediansMs: { with: 2_000, without: 2_500 },
    stock: { firstScreenMs: 2_500, shares: { neededMs: 1_200, wasteMs: 800, idleMs: 500 } }, ...change,
  };
}

/** For tests: an area of `storage`, as slow as a browser's, so that changes that do not wait for each other are lost. @param stored what is in it */
export function fakeStorage(stored: Record<string, unknown> = {}): object {
  return {
    async get(key: string | null) {
      await Promise.resolve();
      return structuredClone(key === null ? stored : key in stored ? { [key]: stored[key] } : {});
    },
    async set(items: object) {
      await Promise.resolve();
      Object.assign(stored, structuredClone(items));
    },
    async remove(keys: string | readonly string[]) {
      await Promise.resolve();
      for (const key of [keys].flat()) Reflect.deleteProperty(stored, key);
    },
  };
}
