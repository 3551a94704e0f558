import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FirstScreenTiming } from '../../../shared/src/protocol/firstScreenTimingSchema.ts';
import { QuietVisits } from './quietVisits.ts';

const URL = 'https://a.test/page?secret=1';
const TIMED: FirstScreenTiming = { outcome: 'measured', isrtMs: 1_234, fcpMs: 500, lcpMs: null, needed: [] };

let random: number;
let helps: boolean;
let kept: unknown[];
let took: unknown[];
let changes: number;
let visits: QuietVisits;
beforeEach(() => {
  vi.useFakeTimers();
  [random, helps, kept, took, changes] = [0.9, true, [], [], 0];
  visits = new QuietVisits({
    random: () => random,
    helps: () => helps,
    took: (...screen) => took.push(screen),
    keep: (...visit) => kept.push(visit),
    changed: () => {
      changes += 1;
      // as applied settings make it
      helps = visits.influence === null;
    },
  });
});
afterEach(() => vi.useRealTimers());

describe('visits of the user', () => {
  it('are timed and kept by their host while that is wanted', () => {
    expect(visits.asks(1)).toBe(false);
    visits.want({ times: true, keeps: true, compares: false });
    expect(visits.asks(1)).toBe(true);
    visits.measured(1, URL, TIMED);
    expect(kept).toEqual([['a.test', 'with', 1_234]]);
  });

  it('are timed for the popup, and not kept, while only that is wanted', () => {
    visits.want({ times: true, keeps: false, compares: false });
    expect(visits.asks(1)).toBe(true);
    visits.measured(1, URL, TIMED);
    expect([took, kept]).toEqual([[[1, URL, { isrtMs: 1_234, side: 'with' }]], []]);
  });

  it.each<[string, () => void]>([
    ['Firstscreen stands aside by itself', () => (helps = false)],
    ['it is not wanted', () => visits.want({ times: false, keeps: false, compares: false })],
  ])('are not asked for when %s', (_, happens) => {
    visits.want({ times: true, keeps: true, compares: true });
    happens();
    expect(visits.asks(1)).toBe(false);
  });

  it.each<[string, () => void, FirstScreenTiming]>([
    ['it is void', () => undefined, { outcome: 'void', reason: 'scrolled' }],
    ['Firstscreen has stood aside in its middle', () => (helps = false), TIMED],
    ['the history was switched off in its middle', () => visits.want({ times: false, keeps: false, compares: false }), TIMED],
    ['its tab has gone', () => visits.forgetTab(1), TIMED],
  ])('are not kept when %s', (_, happens, timing) => {
    visits.want({ times: true, keeps: true, compares: false });
    visits.asks(1);
    happens();
    visits.measured(1, URL, timing);
    expect([took, kept]).toEqual([[], []]);
  });
});

describe('every so often', () => {
  beforeEach(() => {
    visits.want({ times: true, keeps: true, compares: true });
    visits.asks(1);
    random = 0.01;
    visits.measured(1, URL, TIMED);
  });

  it('the next page goes without Firstscreen, until it has come to rest', () => {
    expect(visits.influence).toEqual({ side: 'without', usesMemory: true });
    visits.asks(2);
    visits.measured(2, URL, TIMED);
    expect(kept.at(-1)).toEqual(['a.test', 'without', 1_234]);
    expect([visits.influence, changes]).toEqual([null, 2]);
  });

  it.each<[string, () => void]>([
    ['nobody opens a page', () => vi.advanceTimersByTime(300_000)],
    ['its tab is closed', () => {
      visits.asks(2);
      visits.forgetTab(2);
    }],
    ['the user switches it off', () => visits.want({ times: true, keeps: true, compares: false })],
  ])('and no longer when %s', (_, happens) => {
    happens();
    expect(visits.influence).toBeNull();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never two in a row', () => {
    visits.asks(2);
    visits.measured(2, URL, TIMED);
    expect(visits.influence).toBeNull();
  });
});

it('goes without in no page where that is not wanted', () => {
  visits.want({ times: true, keeps: true, compares: false });
  random = 0;
  visits.asks(1);
  visits.measured(1, URL, TIMED);
  expect([visits.influence, changes]).toEqual([null, 0]);
});
