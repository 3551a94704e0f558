import { expect, it, vi } from 'vitest';
import { lastParsed } from './lastParsed.ts';

it('a text is parsed when it is another one', () => {
  const parse = vi.fn((text: string) => [text]);
  const parsed = lastParsed(parse);
  const first = parsed('a');
  expect(parsed('a')).toBe(first);
  expect([parsed('b'), parsed(''), parsed(''), parsed('b')]).toEqual([['b'], [''], [''], ['b']]);
  expect(parse).toHaveBeenCalledTimes(4);
});
