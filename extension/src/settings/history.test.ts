import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { addVisit, MAX_SITES, MAX_VISITS, storedHistory, summaryOf, type Visit, type VisitHistory } from './history.ts';
import type { KeptLink } from './keptLink.ts';

const DAY = 20_000;
const [SLOW, FAST]: [KeptLink, KeptLink] = [{ rateBitsPerSecond: 1_600_000, rttMs: 150 }, { rateBitsPerSecond: 40_000_000, rttMs: 12 }];
const visitOf = (isrtMs: number, change: Partial<Visit> = {}): Visit => ({ isrtMs, day: DAY, link: SLOW, ...change });
const visits = fc.array(fc.record({ host: fc.constantFrom('a.test', 'b.test', 'c.test'), side: fc.constantFrom('with' as const, 'without' as const), ms: fc.double({ min: 0, max: 60_000, noNaN: true }) }), { maxLength: 120 });
const historyOf = (all: readonly { host: string; side: 'with' | 'without'; ms: number }[]): VisitHistory => all.reduce<VisitHistory>((history, { host, side, ms }) => addVisit(history, host, side, visitOf(ms)), []);

describe('the history of visits', () => {
  it('tells the median of each side, and how many visits it is of', () => {
    const history = historyOf([{ host: 'a.test', side: 'with', ms: 1_000 }, { host: 'a.test', side: 'with', ms: 3_000 }, { host: 'a.test', side: 'without', ms: 2_500 }, { host: 'b.test', side: 'with', ms: 9 }]);
    expect(summaryOf(history, 'a.test')).toEqual({ with: { visits: 2, medianMs: 2_000, sinceDay: DAY }, without: { visits: 1, medianMs: 2_500, sinceDay: DAY } });
    expect(summaryOf(history, 'b.test').without).toBeNull();
    expect(summaryOf(history, 'unknown.test')).toEqual({ with: null, without: null });
  });

  it('tells of visits on a link alone, where that is asked for, and since when', () => {
    const made: readonly Visit[] = [visitOf(9, { link: FAST }), visitOf(3_000, { day: DAY + 2 }), visitOf(1_000, { day: DAY + 1 }), visitOf(7, { link: null })];
    const history = made.reduce<VisitHistory>((before, visit) => addVisit(before, 'a.test', 'with', visit), []);
    expect(summaryOf(history, 'a.test', SLOW)).toEqual({ with: { visits: 2, medianMs: 2_000, sinceDay: DAY + 1 }, without: null });
    expect(summaryOf(history, 'a.test', null)).toEqual({ with: null, without: null });
    expect(summaryOf(history, 'a.test').with).toMatchObject({ visits: 4, sinceDay: DAY });
  });

  it('keeps the latest visits of a side, whole milliseconds, and each site once', () => {
    fc.assert(
      fc.property(visits, (all) => {
        const history = historyOf(all);
        expect(new Set(history.map(({ host }) => host)).size).toBe(history.length);
        for (const site of history) {
          for (const side of ['with', 'without'] as const) {
            const made = all.filter((visit) => visit.host === site.host && visit.side === side).map(({ ms }) => Math.round(ms));
            expect(site[side].map(({ isrtMs }) => isrtMs)).toEqual(made.slice(-MAX_VISITS));
          }
        }
        expect(history.at(-1)?.host).toBe(all.at(-1)?.host);
      }),
    );
  });

  it('forgets the site that was not visited for longest when there are too many', () => {
    let history: VisitHistory = [];
    for (let site = 0; site <= MAX_SITES; site += 1) history = addVisit(history, `${site}.test`, 'with', visitOf(1));
    expect(history).toHaveLength(MAX_SITES);
    expect([history[0]?.host, history.at(-1)?.host]).toEqual(['1.test', `${MAX_SITES}.test`]);
  });
});

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['something else', 'text'],
  ['too many sites', Array.from({ length: MAX_SITES + 1 }, (_, site) => ({ host: `${site}.test`, with: [], without: [] }))],
  ['times that are none', [{ host: 'a.test', with: [visitOf(-1)], without: [] }]],
  ['visits of no day', [{ host: 'a.test', with: [1_000], without: [] }]],
])('a stored history that is %s is empty', async (_, stored) => {
  vi.stubGlobal('chrome', { storage: { local: { get: () => Promise.resolve({ history: stored }) } } });
  expect(await storedHistory.read()).toEqual([]);
});
