import { expect, test } from 'vitest';
import { inTurns } from './turns.ts';

test('after a measurement that fails none is begun', async () => {
  const begun: number[] = [];
  const measure = async (plan: number): Promise<void> => {
    begun.push(plan);
    await Promise.resolve();
    if (plan === 1) throw new Error('no link');
  };
  await expect(inTurns([1, 2, 3, 4], 2, measure, String)).rejects.toThrow('no link');
  expect(begun).toEqual([1, 2]);
});
