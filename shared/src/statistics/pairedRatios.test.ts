import { describe, expect, it } from 'vitest';
import { overallRatio, pagedEstimates, pairedRatios, type Observation } from './pairedRatios.ts';
import { seededRandom } from './random.ts';

const observe = (page: string, scheme: string, run: number, value: number): Observation => ({ page, scheme, run, value });

describe('pairedRatios', () => {
  it('divides within a round, and leaves out rounds in which one side is missing', () => {
    const observations = [
      observe('a', 'conv', 1, 1000), observe('a', 'pf', 1, 500),
      observe('a', 'conv', 2, 2000), observe('a', 'pf', 2, 1500),
      observe('a', 'conv', 3, 1000),
      observe('b', 'pf', 1, 700),
    ];
    expect(pairedRatios(observations, 'pf', 'conv')).toEqual([{ page: 'a', ratios: [0.5, 0.75] }]);
  });

  it('does not pair across rounds, pages or labels that only begin alike', () => {
    const observations = [observe('a', 'conv', 1, 100), observe('a', 'conv#2', 1, 110), observe('a', 'conv#2', 11, 50)];
    expect(pairedRatios(observations, 'conv#2', 'conv')).toEqual([{ page: 'a', ratios: [1.1] }]);
  });
});

describe('ratios over pages', () => {
  const pages = [
    { page: 'a', ratios: [0.4, 0.5, 0.6] },
    { page: 'b', ratios: [0.9, 1.0, 0.8] },
    { page: 'c', ratios: [1.2, 1.1, 1.3] },
  ];

  it('takes the median of medians, so that a page with many pairs weighs no more than others', () => {
    const heavy = [...pages, { page: 'd', ratios: Array.from({ length: 50 }, () => 0.1) }];
    expect(overallRatio(pages, seededRandom(1)).value).toBe(0.9);
    expect(overallRatio(heavy, seededRandom(1)).value).toBeCloseTo(0.7);
  });

  it('has an interval that spans the pages, as which pages were chosen is chance', () => {
    const { low, high } = overallRatio(pages, seededRandom(1));
    expect(low).toBeLessThan(0.61);
    expect(high).toBeGreaterThan(1.09);
  });

  it('estimates each page by its own rounds', () => {
    const [first] = pagedEstimates(pages, seededRandom(1));
    expect(first).toMatchObject({ page: 'a', n: 3, ratio: { value: 0.5, low: 0.4, high: 0.6 } });
  });
});
