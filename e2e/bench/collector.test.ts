import { describe, expect, it } from 'vitest';
import { testLoad } from '../report/testLoad.ts';
import { Collector } from './collector.ts';
import { parseSchemes } from './options.ts';
import type { Load } from './results.ts';

const step = (url: string): Load['steps'][number] => ({ url, isrtMs: 1, neededMs: 1, wasteMs: 0, idleMs: 0, speedIndexMs: 1, allObjectsMs: 1, bytes: 1, requests: 1 });
const got = (...urls: string[]) => urls.map((url) => ({ url, canonicalUrl: url, status: 200, whole: true }));

function collected(...loads: readonly (readonly [scheme: string, answered: readonly string[], steps?: readonly string[]])[]): Load[] {
  const collector = new Collector([{ name: 'p', path: 'p' }], parseSchemes('conv,all,conv-warm,all-warm,conv-journey,all-journey'));
  for (const [scheme, answered, steps = []] of loads) collector.take({ type: 'load', load: testLoad('p', scheme, 1, 1_000, { steps: steps.map(step) }), answered: got(...answered), missing: [] });
  return collector.loads();
}

describe('Collector', () => {
  it('compares a load with stock in the same kind of visit', () => {
    const [, , , warm] = collected(['conv', ['a', 'b', 'c']], ['all', ['a', 'b', 'c']], ['conv-warm', ['a', 'b']], ['all-warm', ['a', 'a']]);
    expect(warm).toMatchObject({ lost: ['b'], fetchedTwice: ['a'] });
  });

  it('has a journey fail that went by other pages than stock', () => {
    const stock = ['conv-journey', [], ['/', '/1', '/2']] as const;
    expect(collected(stock, ['all-journey', [], ['/', '/1', '/2']]).map(({ failed }) => failed)).toEqual([null, null]);
    expect(collected(stock, ['all-journey', [], ['/', '/2', '/1']]).map(({ failed }) => failed)).toEqual([null, 'OTHER_WAY']);
    expect(collected(stock, ['all-journey', [], ['/', '/1']]).map(({ failed }) => failed)).toEqual([null, 'OTHER_WAY']);
  });
});
