import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestWays } from '../../../../shared/src/requests/requestWays.ts';
import { joined, type Joined } from './join.ts';
import { START_MS, testRequest, testWay } from './testing.ts';

const URL_A = 'https://a.test/a.jpg';
const END_MS = START_MS + 60_000;
const shown = (all: readonly Joined[]): string[] => all.map(({ browser, way }) => `${browser?.url ?? ''} ${browser?.startMs ?? ''} ${way?.request ?? ''}`).sort();

/** Requests for few URLs, some of which the helper has carried, some others too that no browser tells of. */
const requests = fc.array(fc.record({ url: fc.constantFrom('https://a.test/a', 'https://a.test/b', 'https://b.test/'), atMs: fc.nat(5_000), lastsMs: fc.integer({ min: 30, max: 800 }), isCarried: fc.boolean() }), { maxLength: 40 });

describe('the join', () => {
  it('has each request of the browser, and each of the helper that stays, exactly once, on the connection that carried it', () => {
    fc.assert(fc.property(requests, (all) => {
      const told = all.map(({ url, atMs, lastsMs }, id) => testRequest(id, url, atMs, lastsMs));
      const { requests: ways } = requestWays(all.flatMap(({ url, atMs, lastsMs, isCarried }, id) => (isCarried ? testWay(id, url, atMs + 5, lastsMs - 10, id) : [])));
      const result = joined(told, ways, END_MS);
      expect(result.flatMap(({ browser }) => browser?.id ?? []).sort((a, b) => a - b)).toEqual(told.map(({ id }) => id));
      const used = result.flatMap(({ way }) => way?.request ?? []);
      expect(new Set(used).size).toBe(used.length);
      // whatever the helper has carried for this tab is found again: only which of several for one URL is which may differ
      expect(used).toHaveLength(ways.length);
      for (const { browser, way } of result) if (browser !== null && way !== null) expect(way.url).toBe(browser.url);
    }));
  });

  it('says the same in whatever order it was told', () => {
    const shuffled = requests.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(fc.property(shuffled, ([all, again]) => {
      const { requests: ways } = requestWays(all.flatMap(({ url, atMs, lastsMs, isCarried }, id) => (isCarried ? testWay(id, url, atMs + 5, lastsMs - 10) : [])));
      const told = (list: typeof all) => list.map(({ url, atMs, lastsMs }, id) => testRequest(id, url, atMs, lastsMs));
      expect(shown(joined(told(again), ways.toReversed(), END_MS))).toEqual(shown(joined(told(all), ways, END_MS)));
    }));
  });

  it('two requests for one URL are each on their own connection', () => {
    const { requests: ways } = requestWays([...testWay(0, URL_A, 0, 90, 1), ...testWay(1, URL_A, 2_000, 90, 2)]);
    const result = joined([testRequest(0, URL_A, 2_000), testRequest(1, `${URL_A}#top`, 0)], ways, END_MS);
    expect(result.map(({ browser, way }) => [browser?.id, way?.connection])).toEqual([[0, 2], [1, 1]]);
  });

  it('leaves to other tabs what this one does not tell of, once that is sure', () => {
    const { requests: ways } = requestWays(testWay(0, URL_A, 0));
    expect(joined([], ways, START_MS + 200)).toHaveLength(1);
    expect(joined([], ways, START_MS + 10_000)).toEqual([]);
    expect(joined([testRequest(0, URL_A, 4_000)], ways, START_MS + 10_000)).toMatchObject([{ way: null }]);
  });

  it('keeps what is under way, and what was asked ahead in vain; what came from a cache was not carried', () => {
    const [asked, sent] = testWay(0, URL_A, 0);
    const { requests: ways } = requestWays([asked!, sent!, { type: 'foreseen', atMs: START_MS, request: 1, url: URL_A, fetchClass: 2 }, { type: 'end', atMs: START_MS + 9, request: 1, ending: 'whole', fetchClass: 2, bytes: 5 }]);
    expect(joined([testRequest(0, URL_A, 0, 90, { isCached: true })], ways, END_MS).map(({ browser, way }) => [browser?.id, way?.request])).toEqual([[0, undefined], [undefined, 0], [undefined, 1]]);
  });
});
