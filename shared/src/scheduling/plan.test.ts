import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intersects, type Rect } from '../page/geometry.ts';
import type { PageObject, PageSnapshot, Placement } from '../page/objects.ts';
import { planPrioritizedFetching } from './plan.ts';
import { RankClass, rankOf } from './rank.ts';

const coordinate = fc.oneof(fc.integer({ min: -3000, max: 20_000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const length = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }));
const rects: fc.Arbitrary<Rect> = fc.record({ x: coordinate, y: coordinate, width: length, height: length });
const placements: fc.Arbitrary<Placement> = fc.oneof(
  fc.constant({ state: 'unplaced' as const }),
  fc.option(rects).map((near) => ({ state: 'undisplayed' as const, near })),
  rects.map((rect) => ({ state: 'placed' as const, rect })),
);
const snapshots: fc.Arbitrary<PageSnapshot> = fc.record({
  view: fc.option(rects),
  objects: fc
    .array(placements, { maxLength: 60 })
    .map((all) => all.map((placement, index): PageObject => ({ id: index + 100, url: `https://a.example/${index}`, index, placement }))),
});

function placedAt(index: number, y: number, height = 100): PageObject {
  return { id: index, url: 'https://a.example/', index, placement: { state: 'placed', rect: { x: 0, y, width: 100, height } } };
}

function hiddenAt(index: number, y: number): PageObject {
  return { id: index, url: 'https://a.example/', index, placement: { state: 'undisplayed', near: { x: 0, y, width: 0, height: 0 } } };
}

describe('planPrioritizedFetching', () => {
  it('names each object exactly once', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const planned = planPrioritizedFetching(snapshot).map(({ id }) => id);
        expect(planned.toSorted((a, b) => a - b)).toEqual(snapshot.objects.map(({ id }) => id));
      }),
    );
  });

  it('never puts a class before a more urgent one', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const classes = planPrioritizedFetching(snapshot).map(({ rankClass }) => rankClass);
        expect(classes).toEqual(classes.toSorted((a, b) => a - b));
      }),
    );
  });

  it('never puts a farther object before a nearer one of its class, nor a later before an earlier one at the same distance', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const byId = new Map(snapshot.objects.map((object) => [object.id, object]));
        const inOrder = planPrioritizedFetching(snapshot).map(({ id }) => byId.get(id)!);
        for (const [place, object] of inOrder.entries()) {
          const next = inOrder[place + 1];
          if (next === undefined) continue;
          const [a, b] = [rankOf(object, snapshot.view), rankOf(next, snapshot.view)];
          if (a.rankClass !== b.rankClass) continue;
          expect(a.distance <= b.distance).toBe(true);
          if (a.distance === b.distance) expect(object.index).toBeLessThan(next.index);
        }
      }),
    );
  });

  it('depends on what is known, not on the order in which it is told', () => {
    fc.assert(
      fc.property(
        snapshots.chain((snapshot) => fc.tuple(fc.constant(snapshot), fc.shuffledSubarray([...snapshot.objects], { minLength: snapshot.objects.length }))),
        ([snapshot, shuffled]) => {
          expect(planPrioritizedFetching({ ...snapshot, objects: shuffled })).toEqual(planPrioritizedFetching(snapshot));
        },
      ),
    );
  });

  it('takes everything that shares an area with the view for in view', () => {
    fc.assert(
      fc.property(snapshots, ({ view, objects }) => {
        fc.pre(view !== null);
        const inView = objects.filter(({ placement }) => placement.state === 'placed' && intersects(placement.rect, view)).map(({ id }) => id);
        const planned = new Map(planPrioritizedFetching({ view, objects }).map(({ id, rankClass }) => [id, rankClass]));
        expect(inView.filter((id) => planned.get(id) !== RankClass.inView)).toEqual([]);
      }),
    );
  });

  it('keeps the order of the document before the first layout', () => {
    const objects = [placedAt(2, 0), placedAt(0, 9000), placedAt(1, 10)];
    expect(planPrioritizedFetching({ view: null, objects })).toEqual([0, 1, 2].map((id) => ({ id, rankClass: RankClass.unplaced })));
  });

  it('goes in view, unplaced, hidden in view, ahead by distance, behind at double distance, hidden elsewhere', () => {
    const view: Rect = { x: 0, y: 2000, width: 1000, height: 500 };
    const objects: PageObject[] = [
      { ...placedAt(0, 0), placement: { state: 'undisplayed', near: null } },
      placedAt(1, 1850),
      placedAt(2, 2580),
      placedAt(3, 2700),
      { ...placedAt(4, 0), placement: { state: 'unplaced' } },
      placedAt(5, 2100),
      // no declared size: judged by where it will grow
      placedAt(6, 2200, 0),
      hiddenAt(7, 2400),
      hiddenAt(8, 2600),
    ];
    expect(planPrioritizedFetching({ view, objects }).map(({ id }) => id)).toEqual([5, 6, 4, 7, 2, 1, 3, 0, 8]);
  });
});
