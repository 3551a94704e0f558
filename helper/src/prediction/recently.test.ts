import { expect, it } from 'vitest';
import { Recently } from './recently.ts';

it('counts from the last time, for so long', () => {
  const recently = new Recently(100);
  recently.add('a', 0);
  recently.add('a', 50);
  expect([recently.has('a', 150), recently.has('a', 151), recently.has('b', 0)]).toEqual([true, false, false]);
});

it('keeps nothing that does not count any more', () => {
  const recently = new Recently(100);
  for (let i = 0; i < 1_000; i += 1) recently.add(`${i}`, i);
  expect(recently.size).toBeLessThanOrEqual(101);
});
