import { expect, it } from 'vitest';
import { urgencyOf } from './urgency.ts';

it.each([
  ['a font', ['priority', 'u=0'], null, 0],
  ['a script of the end', ['priority', 'u=2'], null, 2],
  ['a deferred one', ['priority', 'u=4, i'], null, 4],
  ['in any order of the list', ['priority', 'i, u=4'], null, 4],
  ['a sheet for paper', ['accept', 'text/css,*/*;q=0.1', 'priority', 'u=4'], null, 0],
  ['a sheet without a word', ['accept', 'text/css,*/*;q=0.1'], null, 0],
  ['a script without a word', ['accept', '*/*'], null, 1],
  ['a script that is pushed', ['accept', '*/*'], 'u=2', 2],
  ['nonsense', ['priority', 'u=12, uu=1'], null, 1],
])('%s', (_, fields, expected, urgency) => expect(urgencyOf(fields, expected)).toBe(urgency));
