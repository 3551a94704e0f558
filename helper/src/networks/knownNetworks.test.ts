import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import type { LinkVerdict } from '../../../shared/src/scheduling/payoff.ts';
import { recent, wasFast, withVerdict, type KnownNetworks } from './knownNetworks.ts';

const [HOME, CAFE] = ['a'.repeat(32), 'b'.repeat(32)];
const DAY = 20_000;

/** Verdicts of one network, by day. */
function after(...days: readonly (readonly LinkVerdict[])[]): KnownNetworks {
  return days.reduce<KnownNetworks>((known, verdicts, day) => verdicts.reduce((networks, verdict) => withVerdict(networks, HOME, verdict, (DAY + day) * DAY_MS), known), []);
}

const fast = (pages: number): LinkVerdict[] => Array.from({ length: pages }, () => 'fast');

describe('a network', () => {
  it.each<[string, boolean, LinkVerdict[][]]>([
    ['never seen', false, []],
    ['fast for nine pages of one day', false, [fast(9)]],
    ['fast for ten pages of one day', true, [fast(10)]],
    ['fast for two pages, on two days', false, [fast(1), fast(1)]],
    ['fast for three pages on two days', true, [fast(2), fast(1)]],
    ['fast for three pages on two days with days between', true, [fast(2), [], [], fast(1)]],
    ['slow at last', false, [fast(10), fast(10), ['slow']]],
    ['slow between', false, [fast(10), ['slow', ...fast(9)]]],
    ['slow once, and fast for long enough since', true, [fast(10), ['slow', ...fast(10)]]],
    ['slow alone', false, [['slow', 'slow']]],
  ])('%s was fast: %s', (_, expected, days) => {
    expect(wasFast(after(...days), HOME, (DAY + Math.max(0, days.length - 1)) * DAY_MS)).toBe(expected);
  });

  it('that was slow leaves nothing behind', () => {
    expect(after(fast(10), ['slow'])).toEqual([]);
  });

  it('is counted no further than is enough', () => {
    expect(after(fast(30), fast(30), fast(30))).toEqual([{ key: HOME, pages: 10, days: 2, lastDay: DAY + 2 }]);
  });

  it.each([
    [14, true],
    [15, false],
    [-1, false],
  ])('is known %i days after it was seen fast: %s', (days, expected) => {
    const nowMs = (DAY + days) * DAY_MS;
    expect([wasFast(after(fast(10)), HOME, nowMs), recent(after(fast(10)), nowMs).length > 0]).toEqual([expected, expected]);
    expect(withVerdict(after(fast(10)), CAFE, 'fast', nowMs).some(({ key }) => key === HOME)).toBe(expected);
  });

  it('says nothing of another one', () => {
    expect(wasFast(after(fast(10)), CAFE, DAY * DAY_MS)).toBe(false);
    expect(withVerdict(after(fast(10)), CAFE, 'slow', DAY * DAY_MS)).toEqual(after(fast(10)));
  });

  it('goes when 64 others were seen since', () => {
    const key = (index: number): string => index.toString(16).padStart(32, '0');
    let networks = after(fast(10));
    for (let index = 0; index < 64; index += 1) {
      expect(wasFast(networks, HOME, DAY * DAY_MS)).toBe(true);
      networks = withVerdict(networks, key(index), 'fast', DAY * DAY_MS);
    }
    expect([networks.length, wasFast(networks, HOME, DAY * DAY_MS)]).toEqual([64, false]);
  });
});
