import { expect, it } from 'vitest';
import type { Placement } from '../../../shared/src/page/placement.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import { ReportedLayout, type Layout } from './reportedLayout.ts';

const VIEW = { x: 0, y: 0, width: 800, height: 600 };
const STATE = { view: VIEW, isVisible: true, isParsed: true, look: 1, isWhole: true };
const placedAt = (y: number): Placement => ({ state: 'placed', rect: { x: 0, y, width: 10, height: 10 } });
const HIDDEN: Placement = { state: 'undisplayed', near: null };
const layout = (placements: Readonly<Record<string, Placement>>, change: Partial<Layout> = {}): Layout => ({ ...STATE, ...change, placements: new Map(Object.entries(placements)) });

it('says everything once, and then nothing while nothing changes', () => {
  const reported = new ReportedLayout();
  expect(reported.update(layout({ a: placedAt(1), b: HIDDEN }))).toEqual({ ...STATE, images: [{ url: 'a', placement: placedAt(1) }, { url: 'b', placement: HIDDEN }] });
  expect(reported.update(layout({ a: placedAt(1) }, { view: { ...VIEW } }))).toBeNull();
});

it('says what has moved, appeared or gone from display', () => {
  const reported = new ReportedLayout();
  reported.update(layout({ a: placedAt(1), b: placedAt(2) }));
  expect(reported.update(layout({ a: placedAt(5), b: HIDDEN, c: placedAt(3) }))?.images.map(({ url }) => url)).toEqual(['a', 'b', 'c']);
});

it('says anew what had come when it is there again, and in the next report what was too much for one', () => {
  const reported = new ReportedLayout();
  reported.update(layout({ a: placedAt(1) }));
  expect(reported.update(layout({}))).toBeNull();
  expect(reported.update(layout({ a: placedAt(1) }))?.images).toHaveLength(1);
  const many = layout(Object.fromEntries(Array.from({ length: MAX_REPORTED_IMAGES + 1 }, (_, n) => [`${n}.png`, placedAt(n)])));
  expect([reported.update(many), reported.update(many), reported.update(many)].map((report) => report?.images.length)).toEqual([MAX_REPORTED_IMAGES, 1, undefined]);
});

it('says where all others stand beside one whose URL is longer than a message may have it', () => {
  const longest = 'a'.repeat(MAX_URL_CHARS);
  expect(new ReportedLayout().update(layout({ [`${longest}a`]: placedAt(1), [longest]: placedAt(2) }))?.images.map(({ url }) => url)).toEqual([longest]);
});

it.each<[string, Partial<Layout>]>([
  ['another view', { view: { ...VIEW, y: 300 } }],
  ['the first view', { view: null }],
  ['a tab that is hidden', { isVisible: false }],
  ['a document that is not parsed', { isParsed: false }],
  ['a question', { look: 2 }],
])('says %s without images', (_, change) => {
  const reported = new ReportedLayout();
  reported.update(layout({ a: placedAt(1) }));
  expect(reported.update(layout({ a: placedAt(1) }, change))).toEqual({ ...STATE, ...change, images: [] });
});

it('says everything again to a background script that has begun anew', () => {
  const reported = new ReportedLayout();
  reported.update(layout({ a: placedAt(1) }));
  reported.forget();
  expect(reported.update(layout({ a: placedAt(1) }))?.images).toHaveLength(1);
});
