import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';
import { setupOf, type Scheme } from './schemes.ts';

const parse = (...argv: string[]) => parseOptions(argv, 'out/default', true);

describe('parseOptions', () => {
  it('fills in what was not said', () => {
    expect(parse('--pages', 'a.warc')).toEqual({
      pages: ['a.warc'], profile: '3g-fast', runs: 5, protocol: 'recorded', viewport: { width: 1366, height: 768 }, seed: 1,
      schemes: [{ kind: 'conv', label: 'conv', partsOff: [] }, { kind: 'all', label: 'all', partsOff: [] }],
      limitMinutes: null, out: 'out/default', resume: false, loadTimeoutMs: null, maxLateMs: null, relayRttMs: null, isSecondPage: false, json: false, demo: false,
    });
  });

  it('takes several pages after one --pages, as shells expand them', () => {
    expect(parse('--pages', 'a', 'b', '--runs', '2', '--pages', 'c')).toMatchObject({ pages: ['a', 'c', 'b'], runs: 2 });
  });

  it('labels repetitions of a scheme for the null test', () => {
    expect(parse('--pages', 'a', '--schemes', 'conv,conv,all')).toMatchObject({
      schemes: [{ kind: 'conv', label: 'conv' }, { kind: 'conv', label: 'conv#2' }, { kind: 'all', label: 'all' }],
    });
  });

  it('says which stock scheme is missing', () => {
    expect(() => parse('--pages', 'a', '--schemes', 'conv,all-warm')).toThrow(/no stock before all-warm in the same kind of visit/);
  });

  it('leaves parts out of any scheme that goes by the helper', () => {
    const options = parse('--pages', 'a', '--schemes', 'all-intercept,all-intercept-no-preemption-no-windows,pf+or-no-scavenger,all-intercept-no-preemption-no-windows');
    expect(options?.schemes).toEqual([
      { kind: 'all-intercept', label: 'all-intercept', partsOff: [] },
      { kind: 'all-intercept', label: 'all-intercept-no-preemption-no-windows', partsOff: ['preemption', 'windows'] },
      { kind: 'pf+or', label: 'pf+or-no-scavenger', partsOff: ['scavenger'] },
      { kind: 'all-intercept', label: 'all-intercept-no-preemption-no-windows#2', partsOff: ['preemption', 'windows'] },
    ]);
    expect(setupOf(options?.schemes[2] as Scheme).partsOff).toEqual(['connectionManagement', 'foresight', 'scavenger']);
  });

  it('has a second hop in every load of a run with a relay, and where one is asked for', () => {
    const hop = (...argv: string[]) => parse('--pages', 'a', ...argv)?.relayRttMs;
    expect(hop('--schemes', 'conv,all')).toBeNull();
    expect(hop('--schemes', 'conv,relay-tunnel')).toBe(30);
    expect(hop('--schemes', 'conv,relay-tunnel', '--relay-rtt', '80')).toBe(80);
    expect(hop('--schemes', 'conv,all', '--relay-rtt', '0')).toBe(0);
  });

  it('needs no pages for the demonstration, which has a budget', () => {
    expect(parse('--demo')).toMatchObject({ pages: ['build/pages'], profile: '3g-fast', limitMinutes: 3 });
  });

  it('shows the relay beside stock and the form that is installed, where the machine can', () => {
    const shown = (canRelay: boolean) => {
      const options = parseOptions(['--demo'], 'out', canRelay);
      return [options?.schemes.map(({ label }) => label), options?.relayRttMs];
    };
    expect(shown(true)).toEqual([['conv', 'all', 'relay-tunnel'], 30]);
    expect(shown(false)).toEqual([['conv', 'all'], null]);
  });

  it.each([
    [[]],
    [['--pages', 'a', '--bogus']],
    [['--pages', 'a', '--runs', '0']],
    [['--pages', 'a', '--runs', '2.5']],
    [['--pages', 'a', '--runs', '-1']],
    [['--pages', 'a', '--schemes', 'conv,fast']],
    [['--pages', 'a', '--schemes', '']],
    [['--pages', 'a', '--schemes', 'conv,all-warm']],
    [['--pages', 'a', '--schemes', 'conv,conv-warm,all-intercept-journey']],
    [['--pages', 'a', '--max-late', 'never']],
    [['--pages', 'a', '--protocol', 'h3']],
    [['--pages', 'a', '--limit-minutes', '0']],
    [['--pages', 'a', '--limit-minutes', 'soon']],
    [['--pages', 'a', '--load-timeout', '']],
    [['--pages', 'a', '--seed', 'x']],
    [['--pages', 'a', '--out', 'a', '--resume', 'b']],
    [['--pages', 'a', '--schemes', 'pf']],
    [['--pages', 'a', '--schemes', 'conv,relay-tunnel', '--relay-rtt', 'near']],
    [['--pages', 'a', '--relay-rtt', '1001']],
    [['--pages', 'a', '--schemes', 'all-no-']],
    [['--pages', 'a', '--schemes', 'all-no-magic']],
    [['--pages', 'a', '--schemes', 'all-no-preemption-no-preemption']],
    [['--pages', 'a', '--schemes', 'pf+or-no-foresight']],
    [['--pages', 'a', '--schemes', 'conv-no-preemption']],
    [['--pages', 'a', '--schemes', 'pf-managed-no-preemption']],
    [['--pages']],
  ])('refuses %j with E_OPTION and a next step', (argv) => {
    expect(() => parse(...argv)).toThrow(expect.objectContaining({ code: 'E_OPTION', next: expect.stringMatching(/./) as string }) as Error);
  });

  it('is a wish for help', () => expect(parse('--help')).toBeNull());
});
