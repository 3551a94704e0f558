import { beforeEach, describe, expect, it } from 'vitest';
import { INITIAL_LINK, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { HelpPayoff } from './helpPayoff.ts';

const linkOf = (rateBitsPerSecond: number): LinkEstimate => ({ ...INITIAL_LINK, rateBitsPerSecond });
const [FAST, MIDDLING, SLOW] = [linkOf(50_000_000), linkOf(10_000_000), linkOf(4_000_000)];

describe('HelpPayoff', () => {
  let nowMs: number;
  let payoff: HelpPayoff;
  beforeEach(() => {
    nowMs = 0;
    payoff = new HelpPayoff(() => nowMs);
  });

  it.each<[string, LinkEstimate[], boolean]>([
    ['pays at once on a link that is not fast', [MIDDLING], true],
    ['ends in the middle of a page on one that turns out to be fast', [SLOW, MIDDLING, FAST], false],
    ['does not begin again in the middle of a page that holds the processor up', [FAST, MIDDLING, SLOW], false],
  ])('%s', (_, links, expected) => {
    expect(links.map((link) => payoff.doesPay(link)).at(-1)).toBe(expected);
  });

  it.each([
    [2_000, false],
    [2_001, true],
  ])('is judged anew when nothing was asked in %i ms: %s', (quietMs, expected) => {
    payoff.doesPay(FAST);
    for (let page = 0; page < 3; page += 1) {
      nowMs += 1_000;
      expect(payoff.doesPay(SLOW)).toBe(false);
    }
    nowMs += quietMs;
    expect(payoff.doesPay(SLOW)).toBe(expected);
  });
});
