import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pairInOrder, type Side } from './pairInOrder.ts';

interface Item {
  readonly url: string;
  readonly atMs: number;
}

const items = fc.array(fc.record({ url: fc.constantFrom('a', 'b', 'c'), atMs: fc.nat(1_000) }), { maxLength: 30 });
const side = (all: readonly Item[]): Side<Item> => ({ all, urlOf: ({ url }) => url, compare: (a, b) => a.atMs - b.atMs });
const shown = (pairs: ReadonlyMap<Item, Item>): string[] => [...pairs].map(([a, b]) => `${a.url} ${a.atMs} ${b.atMs}`).sort();

it('has each request in one pair at most, as many pairs as there can be, and the first with the first', () => {
  fc.assert(fc.property(items, items, (left, right) => {
    const pairs = pairInOrder(side(left), side(right));
    expect(new Set(pairs.values()).size).toBe(pairs.size);
    for (const url of ['a', 'b', 'c']) {
      const ofUrl = [...pairs].filter(([a]) => a.url === url).toSorted(([a], [b]) => a.atMs - b.atMs);
      expect(ofUrl.every(([, b]) => b.url === url)).toBe(true);
      expect(ofUrl).toHaveLength(Math.min(left.filter((item) => item.url === url).length, right.filter((item) => item.url === url).length));
      ofUrl.forEach(([, b], place) => expect(b.atMs).toBeGreaterThanOrEqual(ofUrl[place - 1]?.[1].atMs ?? 0));
    }
  }));
});

it('says the same in whatever order requests were heard of', () => {
  const shuffled = items.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  const near = (a: Item, b: Item): boolean => Math.abs(a.atMs - b.atMs) < 100;
  fc.assert(fc.property(shuffled, shuffled, ([left, leftAgain], [right, rightAgain]) => {
    expect(shown(pairInOrder(side(leftAgain), side(rightAgain), near))).toEqual(shown(pairInOrder(side(left), side(right), near)));
  }));
});

it('passes over what can not be one request', () => {
  const [early, late] = [{ url: 'a', atMs: 0 }, { url: 'a', atMs: 900 }];
  expect([...pairInOrder(side([{ url: 'a', atMs: 890 }]), side([early, late]), (a, b) => Math.abs(a.atMs - b.atMs) < 100).values()]).toEqual([late]);
});
