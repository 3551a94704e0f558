import { describe, expect, it } from 'vitest';
import { choice, congestionName, probabilities, receiveBuffers, rising } from './optionValues.ts';

const refused = expect.objectContaining({ code: 'E_OPTION' }) as Error;

describe('values of options', () => {
  it('may be lists', () => {
    expect(choice('--x', 'c, a,c', ['a', 'b', 'c'])).toEqual(['a', 'c']);
    expect(probabilities('--x', '0,1e-6,0.5')).toEqual([0, 1e-6, 0.5]);
    expect(receiveBuffers('--x', '8192,default')).toEqual([8_192, null]);
    expect(rising('--x', [0, 1])).toEqual([0, 1]);
    for (const fallen of [[1, 1], [2, 1]]) expect(() => rising('--x', fallen)).toThrow(refused);
  });

  it.each(['', '1', '-0.1', 'x', '0,'])('refuses the probability "%s"', (text) => {
    expect(() => probabilities('--x', text)).toThrow(refused);
  });

  it.each(['', '--far', 'Reno;x'])('refuses the congestion control "%s"', (text) => {
    expect(() => congestionName(text)).toThrow(refused);
  });
});
