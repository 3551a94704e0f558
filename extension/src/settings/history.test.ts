import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addVisit, changeHistory, forgetSite, forgetVisitsTo, MAX_SITES, MAX_VISITS, readHistory, summaryOf, type VisitHistory } from './history.ts';

afterEach(() => vi.unstubAllGlobals());

const visits = fc.array(fc.record({ host: fc.constantFrom('a.test', 'b.test', 'c.test'), side: fc.constantFrom('with' as const, 'without' as const), ms: fc.double({ min: 0, max: 60_000, noNaN: true }) }), { maxLength: 120 });
const historyOf = (all: readonly { host: string; side: 'with' | 'without'; ms: number }[]): VisitHistory => all.reduce<VisitHistory>((history, { host, side, ms }) => addVisit(history, host, side, ms), []);

describe('the history of visits', () => {
  it('tells the median of each side, and how many visits it is of', () => {
    const history = historyOf([{ host: 'a.test', side: 'with', ms: 1_000 }, { host: 'a.test', side: 'with', ms: 3_000 }, { host: 'a.test', side: 'without', ms: 2_500 }, { host: 'b.test', side: 'with', ms: 9 }]);
    expect(summaryOf(history, 'a.test')).toEqual({ with: { visits: 2, medianMs: 2_000 }, without: { visits: 1, medianMs: 2_500 } });
    expect(summaryOf(history, 'b.test').without).toBeNull();
    expect(summaryOf(history, 'unknown.test')).toEqual({ with: null, without: null });
  });

  it('keeps the latest visits of a side, whole milliseconds, and each site once', () => {
    fc.assert(
      fc.property(visits, (all) => {
        const history = historyOf(all);
        expect(new Set(history.map(({ host }) => host)).size).toBe(history.length);
        for (const site of history) {
          for (const side of ['with', 'without'] as const) {
            const made = all.filter((visit) => visit.host === site.host && visit.side === side).map(({ ms }) => Math.round(ms));
            expect(site[side]).toEqual(made.slice(-MAX_VISITS));
          }
        }
        expect(history.at(-1)?.host).toBe(all.at(-1)?.host);
      }),
    );
  });

  it('forgets the site that was not visited for longest when there are too many', () => {
    let history: VisitHistory = [];
    for (let site = 0; site <= MAX_SITES; site += 1) history = addVisit(history, `${site}.test`, 'with', 1);
    expect(history).toHaveLength(MAX_SITES);
    expect([history[0]?.host, history.at(-1)?.host]).toEqual(['1.test', `${MAX_SITES}.test`]);
  });

  it('forgets one site when asked', () => {
    const history = historyOf([{ host: 'a.test', side: 'with', ms: 1 }, { host: 'b.test', side: 'with', ms: 1 }]);
    expect(forgetSite(history, 'a.test').map(({ host }) => host)).toEqual(['b.test']);
  });
});

describe('the stored history', () => {
  function stub(stored: unknown): { stored: unknown } {
    const store = { stored };
    vi.stubGlobal('chrome', {
      storage: { local: { get: () => Promise.resolve({ history: store.stored }), set: ({ history }: { history: unknown }) => Promise.resolve(void (store.stored = history)), remove: () => Promise.resolve(void (store.stored = undefined)) } },
    });
    return store;
  }

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['something else', 'text'],
    ['too many sites', Array.from({ length: MAX_SITES + 1 }, (_, site) => ({ host: `${site}.test`, with: [], without: [] }))],
    ['times that are none', [{ host: 'a.test', with: [-1], without: [] }]],
  ])('that is %s is empty', async (_, stored) => {
    stub(stored);
    expect(await readHistory()).toEqual([]);
  });

  it('forgets the hosts of pages that the browser has erased from its history, or all with it', async () => {
    const store = stub(['a.test', 'b.test:8080', 'c.test'].map((host) => ({ host, with: [1], without: [] })));
    await forgetVisitsTo(['https://b.test:8080/page?q=1', 'about:blank', 'no URL']);
    expect((await readHistory()).map(({ host }) => host)).toEqual(['a.test', 'c.test']);
    await forgetVisitsTo(null);
    expect(store.stored).toBeUndefined();
  });

  it('loses no visit of two that end together, and leaves nothing when it is empty', async () => {
    const store = stub(undefined);
    await Promise.all([changeHistory((history) => addVisit(history, 'a.test', 'with', 1)), changeHistory((history) => addVisit(history, 'a.test', 'without', 2))]);
    expect(await readHistory()).toEqual([{ host: 'a.test', with: [1], without: [2] }]);
    await changeHistory(() => []);
    expect(store.stored).toBeUndefined();
  });
});
