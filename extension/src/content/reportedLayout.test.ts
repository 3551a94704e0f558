import { expect, it } from 'vitest';
import type { Placement } from '../../../shared/src/page/objects.ts';
import { ReportedLayout } from './reportedLayout.ts';

const VIEW = { x: 0, y: 0, width: 800, height: 600 };
const placedAt = (y: number): Placement => ({ state: 'placed', rect: { x: 0, y, width: 10, height: 10 } });

it('says everything once, and then nothing while nothing changes', () => {
  const reported = new ReportedLayout();
  const placements = new Map([['a', placedAt(1)], ['b', { state: 'undisplayed', near: null } as const]]);
  expect(reported.update(VIEW, placements)).toEqual({ view: VIEW, objects: [{ url: 'a', placement: placedAt(1) }, { url: 'b', placement: { state: 'undisplayed', near: null } }] });
  expect(reported.update({ ...VIEW }, new Map([['a', placedAt(1)]]))).toBeNull();
});

it('says what has moved, appeared or gone from display', () => {
  const reported = new ReportedLayout();
  reported.update(VIEW, new Map([['a', placedAt(1)], ['b', placedAt(2)]]));
  const moved = new Map<string, Placement>([['a', placedAt(5)], ['b', { state: 'undisplayed', near: null }], ['c', placedAt(3)]]);
  expect(reported.update(VIEW, moved)?.objects.map(({ url }) => url)).toEqual(['a', 'b', 'c']);
});

it('says a new view without objects', () => {
  const reported = new ReportedLayout();
  reported.update(VIEW, new Map([['a', placedAt(1)]]));
  const scrolled = { ...VIEW, y: 300 };
  expect(reported.update(scrolled, new Map([['a', placedAt(1)]]))).toEqual({ view: scrolled, objects: [] });
});

it('says again what was forgotten', () => {
  const reported = new ReportedLayout();
  reported.update(VIEW, new Map([['a', placedAt(1)]]));
  reported.forget(['a']);
  expect(reported.update(VIEW, new Map([['a', placedAt(1)]]))?.objects).toHaveLength(1);
});
