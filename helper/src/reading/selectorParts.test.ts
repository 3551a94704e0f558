import { describe, expect, it } from 'vitest';
import { selectorParts } from './selectorParts.ts';

describe('selectorParts', () => {
  it.each([
    ['a name, an id and classes', 'UL#Nav.a.b-c', [[['ul', '#nav', '.a', '.b-c']]]],
    ['combinators', 'a > b+c ~d  e', [[['a'], ['b'], ['c'], ['d'], ['e']]]],
    ['a list', '.a,#b, c', [[['.a']], [['#b']], [['c']]]],
    ['pseudo-elements, and pseudo-classes that nobody sets', 'a:link::before, li:first-child', [[['a']], [['li']]]],
    ['any element', '.a > *', [[['.a']]]],
    ['nothing that depends on what the user does', 'a:hover, .b', [[['.b']]]],
    ['nothing with attributes, functions or escapes', 'a[href], b:not(.c), .d\\:e, :is(f), .g', [[['.g']]]],
    ['nothing of any element at all', '*, :link', []],
    ['nothing of junk', '}{, "a, b", 1, , .', []],
    ['nothing endless', 'a '.repeat(50), []],
  ])('%s', (_, list, expected) => expect(selectorParts(list)).toEqual(expected));
});
