import { beforeEach, describe, expect, it } from 'vitest';
import { MIN_RATE_BYTES } from '../../../shared/src/estimation/link.ts';
import type { LinkVerdict } from '../../../shared/src/scheduling/payoff.ts';
import type { HelperLink } from './helperLink.ts';
import { KnownNetwork } from './knownNetwork.ts';

const [TAB, PRIVATE_TAB] = [1, 2];

let helper: { isThere: boolean; answer: { wasFast: boolean } | null };
let verdict: LinkVerdict | null;
let judgedBytes: number;
/** What the helper is asked and told, and what is heeded, in order. */
let steps: unknown[];
let network: KnownNetwork;

beforeEach(() => {
  helper = { isThere: true, answer: { wasFast: true } };
  verdict = 'fast';
  steps = [];
  const link: unknown = {
    can: (capability: string) => helper.isThere && capability === 'networks',
    ask(type: string) {
      steps.push(type);
      return Promise.resolve(helper.answer);
    },
    tell: (type: string, payload: object) => steps.push([type, payload]),
  };
  network = new KnownNetwork(link as Pick<HelperLink, 'can' | 'ask' | 'tell'>, {
    mayTellOf: (tabId) => Promise.resolve(tabId !== PRIVATE_TAB),
    verdict: (bytes) => {
      judgedBytes = bytes;
      return verdict;
    },
    isFast: () => steps.push('isFast'),
    isOther: (wasFast) => steps.push(['isOther', wasFast]),
  });
});

describe('KnownNetwork', () => {
  it.each<[string, (() => void)[]]>([
    ['the helper', [() => network.remember(true), () => network.helperChanged()]],
    ['the setting', [() => network.helperChanged(), () => network.remember(true)]],
  ])('is heeded when it is asked whether it was, %s being known last', async (_, [first, last]) => {
    helper.isThere = false;
    first?.();
    await network.looked();
    expect(steps).toEqual([]);
    helper.isThere = true;
    last?.();
    await network.looked();
    expect(steps).toEqual(['network', 'isFast']);
  });

  it.each([
    ['is not known as fast', { wasFast: false }],
    ['is not told of, as the helper gives no answer', null],
  ])('changes nothing where it %s', async (_, answer) => {
    helper.answer = answer;
    network.remember(true);
    await network.looked();
    expect(steps).toEqual(['network']);
  });

  it('is not asked for, told of or heeded where nothing is to be remembered, nor by a helper that can not', async () => {
    const live = async (): Promise<void> => {
      network.helperChanged();
      network.networkChanged();
      await network.looked();
      await network.navigated(TAB);
      network.arrived(MIN_RATE_BYTES);
      network.rested();
    };
    await live();
    expect(steps).toEqual([]);
    helper.isThere = false;
    network.remember(true);
    await live();
    expect(steps).toEqual([['isOther', false]]);
  });

  it.each([[true], [false]])('is another one, which was fast: %s', async (wasFast) => {
    network.remember(true);
    await network.looked();
    steps = [];
    helper.answer = { wasFast };
    network.networkChanged();
    await network.looked();
    expect(steps).toEqual(['network', ['isOther', wasFast]]);
  });

  describe('is told of', () => {
    beforeEach(async () => {
      network.remember(true);
      await network.looked();
      steps = [];
    });

    it('once a page, when it has brought enough', async () => {
      await network.navigated(TAB);
      network.arrived(MIN_RATE_BYTES - 1);
      network.rested();
      expect(steps).toEqual([]);
      network.arrived(1);
      network.rested();
      expect(judgedBytes).toBe(MIN_RATE_BYTES);
      network.arrived(MIN_RATE_BYTES);
      network.rested();
      expect(steps).toEqual([['judged', { verdict: 'fast' }]]);
      verdict = 'slow';
      await network.navigated(TAB);
      network.rested();
      expect(steps).toEqual([['judged', { verdict: 'fast' }], ['judged', { verdict: 'slow' }]]);
    });

    it.each<[string, () => void]>([
      ['by a page that leaves it open', () => (verdict = null)],
      ['when the helper is gone', () => (helper.isThere = false)],
      ['by a page of the network before', () => network.networkChanged()],
    ])('not %s', async (_, happens) => {
      await network.navigated(TAB);
      network.arrived(MIN_RATE_BYTES);
      happens();
      network.rested();
      expect(steps.filter((step) => step !== 'network')).toEqual([]);
    });

    it('not by a page of a private window', async () => {
      await network.navigated(PRIVATE_TAB);
      network.arrived(MIN_RATE_BYTES);
      network.rested();
      expect(steps).toEqual([]);
    });
  });
});
