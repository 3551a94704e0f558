import { expect, test } from 'vitest';
import { documentText, estimateText, intervalText, medianRatio, pairsOf, ratioOfTotals, runsOn } from './comparison.ts';

test('runs are on a condition with all of its values', () => {
  const runs = [{ loss: 0, way: 'a', ms: 1 }, { loss: 0, way: 'b', ms: 2 }, { loss: 1, way: 'a', ms: 3 }];
  expect(runsOn(runs, { loss: 0, way: 'a' })).toEqual([runs[0]]);
  expect(runsOn(runs, { loss: 0 })).toHaveLength(2);
});

test('pairs are of one round, of which both gave a number', () => {
  const run = (round: number, ms: number | null) => ({ round, ms });
  const pairs = pairsOf([run(0, 1), run(1, 9), run(2, null), run(3, 1)], [run(1, 3), run(0, 2), run(2, 1)], ({ ms }) => ms);
  expect(pairs).toEqual([{ with: 1, without: 2 }, { with: 9, without: 3 }]);
  expect(medianRatio(pairs, 1)).toMatchObject({ value: 1.75, low: 0.5, high: 3 });
});

test('a table has its head before it', () => {
  expect(documentText(['head'], ['a', 'b'], [['1', '2|3']])).toBe('head\n\n| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n');
});

test('a ratio is of the totals of all rounds', () => {
  expect(ratioOfTotals([{ with: 1, without: 2 }, { with: 3, without: 2 }], 1).value).toBe(1);
});

test('a flow that moved nothing has no ratio in a table', () => {
  const starved = ratioOfTotals([{ with: 0, without: 0 }], 1);
  expect(estimateText(starved)).toBe('none [none, none]');
  expect(estimateText({ value: 0.5, low: 0.25, high: 1 })).toBe('0.50 [0.25, 1.00]');
});

test('an interval says over how many rounds, and whether they are enough for it', () => {
  expect(intervalText(10)).toBe('In brackets: 95 % intervals, bootstrap over 10 rounds.');
  expect(intervalText(3)).toBe('In brackets: bootstrap over 3 rounds, which are too few for 95 %.');
});
