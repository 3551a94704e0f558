import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Rect } from '../page/geometry.ts';
import { compareRanked, rankOf, RankClass, type Ranked } from './rank.ts';

const VIEW: Rect = { x: 0, y: 1000, width: 800, height: 600 };
const at = (y: number, height = 50, id = 0) => ({ id, placement: { state: 'placed', rect: { x: 0, y, width: 50, height } } }) as const;

describe('rank of an object', () => {
  it.each([
    ['inside the view', 1200, RankClass.inView],
    ['partly above it', 970, RankClass.inView],
    ['just below it', 1600, RankClass.offScreen],
    ['above it', 100, RankClass.offScreen],
  ])('%s', (_, y, rankClass) => expect(rankOf(at(y), VIEW).rankClass).toBe(rankClass));

  it('without an area it is judged by where it will grow', () => expect(rankOf(at(1100, 0), VIEW).rankClass).toBe(RankClass.inView));
  it('before the first layout every position is unknown', () => expect(rankOf(at(1200), null).rankClass).toBe(RankClass.unplaced));
  it('of two objects at one distance the one ahead comes first', () => {
    expect(rankOf(at(1700), VIEW).distance).toBeLessThan(rankOf(at(850), VIEW).distance);
  });

  it('orders totally: antisymmetric, and only an object itself is its equal', () => {
    const object = fc.record({ y: fc.integer({ min: -5000, max: 5000 }), id: fc.nat(50) });
    const ranked = ({ y, id }: { y: number; id: number }): Ranked => ({ index: id, rank: rankOf(at(y, 50, id), VIEW) });
    fc.assert(
      fc.property(object, object, (a, b) => {
        const order = compareRanked(ranked(a), ranked(b));
        expect(Math.sign(order)).toBe(-Math.sign(compareRanked(ranked(b), ranked(a))) + 0);
        if (order === 0) expect(a.id).toBe(b.id);
      }),
    );
  });
});
