import { expect, test } from 'vitest';
import { estimateText, intervalText, ratioOfTotals } from './comparison.ts';

test('a ratio is of the totals of all rounds', () => {
  expect(ratioOfTotals([{ with: 1, without: 2 }, { with: 3, without: 2 }], 1).value).toBe(1);
});

test('a flow that moved nothing has no ratio in a table', () => {
  const starved = ratioOfTotals([{ with: 0, without: 0 }], 1);
  expect(estimateText(starved)).toBe('none [none, none]');
  expect(estimateText({ value: 0.5, low: 0.25, high: 1 })).toBe('0.50 [0.25, 1.00]');
});

test('an interval says over how many rounds, and whether they are enough for it', () => {
  expect(intervalText(10)).toBe('[95 % interval, bootstrap over 10 rounds]');
  expect(intervalText(3)).toBe('[bootstrap over 3 rounds, which are too few for 95 %]');
});
