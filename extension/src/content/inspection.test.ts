import { expect, it } from 'vitest';
import { Inspection } from './inspection.ts';

it('listens to nothing in a page that nobody watches', () => {
  // there is no document, no window and no observer here: what touched one would throw
  const inspection = new Inspection(() => {
    throw new Error('said something');
  });
  expect(() => inspection.watch(false)).not.toThrow();
  expect(() => inspection.watch(true)).toThrow('said something');
});
