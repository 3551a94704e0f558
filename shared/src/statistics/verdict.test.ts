import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';
import { MIN_PAIRS, pairsToShow, verdictOf, type Shown } from './verdict.ts';

const ratio = fc.double({ min: 0.2, max: 5, noNaN: true });

describe('what paired ratios show', () => {
  it.each<[string, number[], Shown]>([
    ['all well below 1', [0.7, 0.72, 0.75, 0.71, 0.69, 0.74], 'sooner'],
    ['all well above 1', [1.2, 1.3, 1.25, 1.28, 1.22, 1.4], 'later'],
    ['around 1', [0.95, 1.05, 0.98, 1.02, 1.01, 0.99], 'nothing'],
    ['exactly 1', [1, 1, 1, 1, 1, 1], 'nothing'],
    ['five, all below 1: by chance in 1 of 16', [0.7, 0.7, 0.7, 0.7, 0.7], 'tooFew'],
    ['none', [], 'tooFew'],
  ])('%s', (_, ratios, shows) => expect(verdictOf(ratios, seededRandom(1)).shows).toBe(shows));

  it('needs as many pairs as make all of them agree by chance in less than 5 of 100 measurements', () => {
    expect(2 / 2 ** MIN_PAIRS).toBeLessThanOrEqual(0.05);
    expect(2 / 2 ** (MIN_PAIRS - 1)).toBeGreaterThan(0.05);
  });

  it('is never a gain and a loss: of the inverted ratios it says the contrary', () => {
    const contrary: Readonly<Record<Shown, Shown>> = { sooner: 'later', later: 'sooner', nothing: 'nothing', tooFew: 'tooFew' };
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.2, max: 0.9, noNaN: true }), { minLength: 1, maxLength: 30 }), (ratios) => {
        const inverted = ratios.map((each) => 1 / each);
        expect(verdictOf(inverted, seededRandom(1)).shows).toBe(contrary[verdictOf(ratios, seededRandom(1)).shows]);
      }),
      { numRuns: 20 },
    );
  });

  it('seldom shows a difference where there is none', () => {
    const random = seededRandom(4);
    // log-normal about 1, as load times scatter
    const noise = (): number => Math.exp(0.2 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
    const runs = 300;
    const shown = Array.from({ length: runs }, () => verdictOf(Array.from({ length: 10 }, noise), random).shows).filter((shows) => shows !== 'nothing');
    // a percentile bootstrap of ten is somewhat narrow; twice of what it says would be wrong
    expect(shown.length / runs).toBeLessThan(0.1);
  });
});

describe('how many pairs would show a difference', () => {
  it('is those that are there for as wide a difference as the interval, and four times as many for half of it', () => {
    const verdict = { n: 10, ratio: { value: 1, low: 0.9, high: 1 / 0.9 }, shows: 'nothing' as const };
    expect(pairsToShow(verdict, 0.11)).toBe(0);
    expect(pairsToShow(verdict, 0.05)).toBeGreaterThan(30);
    expect(pairsToShow(verdict, 0.05)).toBeLessThan(36);
  });

  it('is never fewer than a verdict takes, and never negative', () => {
    expect(pairsToShow(verdictOf([], seededRandom(1)), 0.05)).toBe(MIN_PAIRS);
    fc.assert(
      fc.property(fc.array(ratio, { minLength: 1, maxLength: 12 }), (ratios) => {
        const more = pairsToShow(verdictOf(ratios, seededRandom(1)), 0.05);
        expect(Number.isInteger(more)).toBe(true);
        expect(more).toBeGreaterThanOrEqual(Math.max(0, MIN_PAIRS - ratios.length));
      }),
      { numRuns: 30 },
    );
  });
});
