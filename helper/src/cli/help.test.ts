import { describe, expect, it } from 'vitest';
import { COMMANDS, OPTIONS } from './commandTable.ts';
import { HELP, wrapped } from './help.ts';

describe('the help', () => {
  it('names every command and option, in lines that a terminal shows', () => {
    for (const command of COMMANDS) expect(HELP).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    expect(HELP).toMatch(/^ {2}relay add HOST:PORT FINGERPRINT +use/m);
    for (const name of Object.keys(OPTIONS)) expect(HELP).toMatch(new RegExp(`^ {2}--${name} `, 'm'));
    expect(HELP.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it.each([
    ['one two three', 7, ['one two', 'three']],
    ['one', 2, ['one']],
    ['longer a b', 3, ['longer', 'a b']],
  ])('breaks %j at %j columns', (text, columns, lines) => {
    expect(wrapped(text, columns)).toEqual(lines);
  });
});
