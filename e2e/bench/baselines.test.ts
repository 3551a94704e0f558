import { describe, expect, it } from 'vitest';
import { baselineLabels, comparedPairs, schemeWithoutStock } from './baselines.ts';
import { parseSchemes } from './options.ts';

describe('comparedPairs', () => {
  it('compares each scheme with the first of its kind of visit, and a second visit as a first one', () => {
    const schemes = parseSchemes('conv,all-journey,all-intercept-repeat,conv-warm,all,all-warm,conv-journey');
    expect(comparedPairs(parseSchemes('conv,conv-warm,all-warm,all,all-repeat,conv-journey,all-intercept-journey'))).toEqual([
      { scheme: 'all', baseline: 'conv' },
      { scheme: 'all-repeat', baseline: 'conv' },
      { scheme: 'all-warm', baseline: 'conv-warm' },
      { scheme: 'all-intercept-journey', baseline: 'conv-journey' },
    ]);
    expect(baselineLabels(schemes)).toEqual(['conv', 'all-journey', 'conv-warm']);
  });

  it('knows the null test, and a run of one scheme', () => {
    expect(comparedPairs(parseSchemes('conv-warm,conv-warm'))).toEqual([{ scheme: 'conv-warm#2', baseline: 'conv-warm' }]);
    expect(comparedPairs(parseSchemes('all'))).toEqual([]);
  });
});

describe('schemeWithoutStock', () => {
  it.each([
    ['conv,all-warm', { label: 'all-warm', stock: 'conv-warm' }],
    ['all-warm', { label: 'all-warm', stock: 'conv-warm' }],
    ['conv,all-again', { label: 'all-again', stock: 'conv-again' }],
    ['all-warm,conv-warm', { label: 'all-warm', stock: 'conv-warm' }],
    ['conv,all,conv-warm,all-warm,all-intercept-journey', { label: 'all-intercept-journey', stock: 'conv-journey' }],
    ['conv-warm,all-warm,all-repeat', { label: 'all-repeat', stock: 'conv' }],
    ['conv-journey,all-journey', null],
    ['conv,conv-warm,all-warm,all-repeat', null],
    ['conv-driver,conv-warm,all-warm', { label: 'conv-driver', stock: 'conv' }],
    ['conv-driver,all-driver', null],
    ['all-intercept,all-intercept-no-preemption', null],
  ])('%s -> %j', (schemes, expected) => {
    expect(schemeWithoutStock(parseSchemes(schemes))).toEqual(expected);
  });
});
