import { expect, test } from 'vitest';

import { createRandom } from './random.ts';

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => random.next());
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('a fork does not depend on what was drawn before it', () => {
  const used = createRandom(3);
  used.next();
  expect(used.fork('pictures').next()).toBe(createRandom(3).fork('pictures').next());
  expect(used.fork('pictures').next()).not.toBe(used.fork('stories').next());
});

test('whole numbers and picks stay inside their bounds and reach them', () => {
  const random = createRandom(1);
  const drawn = new Set(Array.from({ length: 200 }, () => random.whole(2, 4)));
  expect([...drawn].sort()).toEqual([2, 3, 4]);
  expect(new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
  expect(() => random.pick([])).toThrow(RangeError);
  expect(random.shuffled([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4]);
});
