import { expect, it } from 'vitest';
import { Rest } from './rest.ts';

it('is ever longer, up to ten minutes, until what did not answer does', () => {
  const rest = new Rest();
  expect(rest.leftMs(1_000_000)).toBe(0);
  const lengths = Array.from({ length: 8 }, () => {
    rest.begin(1_000_000);
    return rest.leftMs(1_000_000);
  });
  expect(lengths).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000]);
  expect([rest.leftMs(1_500_000), rest.leftMs(1_600_000), rest.leftMs(0)]).toEqual([100_000, 0, 600_000]);
  rest.end();
  expect(rest.leftMs(1_000_000)).toBe(0);
  rest.begin(1_000_000);
  expect(rest.leftMs(1_000_000)).toBe(10_000);
});
