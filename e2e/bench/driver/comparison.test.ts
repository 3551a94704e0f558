import { expect, test } from 'vitest';
import { estimateText, ratioOfTotals } from './comparison.ts';

test('a ratio is of the totals of all rounds', () => {
  expect(ratioOfTotals([{ with: 1, without: 2 }, { with: 3, without: 2 }], 1).value).toBe(1);
});

test('a flow that moved nothing has no ratio in a table', () => {
  const starved = ratioOfTotals([{ with: 0, without: 0 }], 1);
  expect(estimateText(starved)).toBe('none [none, none]');
  expect(estimateText({ value: 0.5, low: 0.25, high: 1 })).toBe('0.50 [0.25, 1.00]');
});
