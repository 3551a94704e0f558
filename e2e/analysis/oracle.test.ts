import { describe, expect, it } from 'vitest';
import { oracle, oracleLine } from './oracle.ts';

describe('oracle', () => {
  it('is stock without its waste, and what is needed with 0.6 s of idle time', () => {
    const { first, second, reached } = oracle([{ pages: 1, isrtMs: 4_000, neededMs: 1_400, wasteMs: 1_000, ratio: 0.85 }]);
    expect(first).toBeCloseTo(0.75);
    expect(second).toBeCloseTo(0.5);
    expect(reached).toBeCloseTo(0.6);
  });

  it('is a median over pages, and passes over those without a pair', () => {
    const page = { pages: 1, isrtMs: 1_000, neededMs: 500, ratio: 1 };
    const pages = [{ ...page, wasteMs: 100 }, { ...page, wasteMs: 300 }, { ...page, wasteMs: 200 }, { ...page, wasteMs: 900, ratio: null }, { ...page, isrtMs: NaN, wasteMs: NaN }];
    expect(oracle(pages).first).toBeCloseTo(0.8);
    // no page is slower than stock with everything known
    expect(oracle(pages).second).toBe(1);
    expect(oracleLine(pages)).toBe('Oracle: 0.800 of stock without waste, 1.000 with what is needed and 0.6 s a page; 0 % of the first gain reached');
  });

  it('gives each page of a journey its idle time', () => {
    expect(oracle([{ pages: 5, isrtMs: 10_000, neededMs: 4_000, wasteMs: 1_000, ratio: 0.9 }]).second).toBeCloseTo(0.7);
  });

  it('says nothing of a gain where none is possible', () => {
    expect(oracleLine([{ pages: 1, isrtMs: 1_000, neededMs: 1_000, wasteMs: 0, ratio: 1 }])).not.toContain('%');
  });
});
