import { describe, expect, it } from 'vitest';
import { choice, congestionNames, probabilities, readArguments, words } from './arguments.ts';

const refused = expect.objectContaining({ code: 'E_OPTION' }) as Error;

describe('options of the driver benchmarks', () => {
  it('are values by name, or a wish for help', () => {
    expect(readArguments(['--seed', '3', '--out=x'], ['seed', 'out', 'link'])).toEqual({ seed: '3', out: 'x' });
    expect(readArguments(['-h'], ['seed'])).toBeNull();
    for (const argv of [['--other', '1'], ['word'], ['--seed']]) expect(() => readArguments(argv, ['seed'])).toThrow(refused);
  });

  it('may be lists', () => {
    expect(choice('--x', 'c, a', ['a', 'b', 'c'])).toEqual(['a', 'c']);
    expect(choice('--x', undefined, ['a', 'b'])).toEqual(['a', 'b']);
    expect(probabilities('--x', '0,1e-6,0.5')).toEqual([0, 1e-6, 0.5]);
    expect(congestionNames('reno, bbr')).toEqual(['reno', 'bbr']);
    expect(words(' --queue  50p ')).toEqual(['--queue', '50p']);
  });

  it.each(['', '1', '-0.1', 'x', '0,'])('refuses the probability "%s"', (text) => {
    expect(() => probabilities('--x', text)).toThrow(refused);
  });

  it.each(['', '--far', 'reno,', 'Reno;x'])('refuses the congestion control "%s"', (text) => {
    expect(() => congestionNames(text)).toThrow(refused);
  });
});
