import { expect, it } from 'vitest';
import { PageCounts } from './pageCounts.ts';

const TAB = 1;

it('keeps what frames have counted that come and go in a page, and nothing else of them', () => {
  const counts = new PageCounts();
  const page = counts.begin(TAB, 0);
  page.held += 1;
  for (let n = 1; n <= 1_000; n += 1) {
    const frame = counts.begin(TAB, n);
    frame.held += 1;
    counts.ended(TAB, frame);
  }
  expect([counts.of(TAB), counts.documentsOf(TAB)]).toEqual([{ held: 1_001, released: 0, inView: 0, left: 0 }, [page]]);
});

it('keeps what a page has counted whose own document is gone before its frames', () => {
  const counts = new PageCounts();
  const [page, frame] = [counts.begin(TAB, 0), counts.begin(TAB, 1)];
  [page.held, frame.held] = [1, 2];
  for (const gone of [page, frame]) counts.ended(TAB, gone);
  expect(counts.of(TAB).held).toBe(3);
});

it('counts nothing for the next page of a document that goes after it was asked for', () => {
  const counts = new PageCounts();
  const before = counts.begin(TAB, 0);
  counts.navigated(TAB, 5);
  counts.begin(TAB, 10);
  before.released += 1;
  counts.ended(TAB, before);
  expect(counts.of(TAB).released).toBe(0);
});
