import { describe, expect, it } from 'vitest';
import type { Estimate, Results } from '../bench/results.ts';
import { agreementTable, agreements, type MeasuredPage } from './agreement.ts';

const measured = (value: number, { low, high } = { low: value, high: value }): MeasuredPage => ({
  page: 'a', failure: null,
  measured: { version: 1, extensionVersion: '1', browser: 'b', url: 'https://a.test/', startedAt: '', pairs: 6, visit: 'first', isCold: true, ended: 'complete', shows: 'sooner', pairsCounted: 6, ratio: { value, low, high }, ratios: [value], counted: [], dropped: [] },
});
const results = (ratio: Estimate): Results => ({ comparisons: [{ scheme: 'all', baseline: 'conv', metric: 'isrtMs', overall: ratio, pages: [{ page: 'a', n: 5, ratio }] }] }) as unknown as Results;

describe('browser and benchmark', () => {
  it.each<[number, Estimate, boolean | null]>([
    [0.9, { value: 0.92, low: 0.88, high: 0.95 }, true],
    [0.95, { value: 0.92, low: 0.88, high: 0.95 }, true],
    [0.8, { value: 0.92, low: 0.88, high: 0.95 }, false],
    [1.1, { value: 0.92, low: 0.88, high: 0.95 }, false],
    [0.9, { value: null, low: null, high: null }, null],
  ])('a ratio of %f and %j: agree %s', (value, ratio, agree) => {
    expect(agreements([measured(value)], results(ratio), 'all')[0]?.agrees).toBe(agree);
  });

  it('agree where their intervals overlap', () => {
    const bench = results({ value: 1.02, low: 1.017, high: 1.03 });
    expect(agreements([measured(1.01, { low: 1, high: 1.02 })], bench, 'all')[0]?.agrees).toBe(true);
    expect(agreements([measured(1, { low: 0.98, high: 1.01 })], bench, 'all')[0]?.agrees).toBe(false);
    expect(agreements([measured(1.1, { low: 1.04, high: 1.2 })], bench, 'all')[0]?.agrees).toBe(false);
  });

  it('do not agree on a page that one of them has not measured, or of another scheme', () => {
    const ratio = { value: 0.9, low: 0.8, high: 1 };
    expect(agreements([{ page: 'a', measured: null, failure: 'it crashed' }], results(ratio), 'all')[0]?.agrees).toBeNull();
    expect(agreements([measured(0.9)], results(ratio), 'pf-managed')[0]?.agrees).toBeNull();
  });

  it('are told of in a line a page, failures too', () => {
    const pages = [measured(0.8), { page: 'b', measured: null, failure: 'it crashed' }];
    expect(agreementTable(agreements(pages, results({ value: 0.92, low: 0.88, high: 0.95 }), 'all'))).toMatch(/^a: 0\.80 .*DIFFERS\nb: failed: it crashed; .*not compared\n$/);
    expect(agreementTable(pages)).toContain('a: 0.80 [0.80 to 0.80], 6 pairs, sooner');
  });
});
