import { beforeEach, expect, it } from 'vitest';
import { CachedPage } from './cachedPage.ts';

const [TAB, OTHER_TAB] = [1, 2];

let loading: number[];
let changes: boolean[];
let page: CachedPage;
beforeEach(() => {
  [loading, changes] = [[], []];
  page = new CachedPage({ isLoadingBeside: (tabId) => loading.some((each) => each !== tabId), changed: () => changes.push(page.isShown) });
});

it('is shown from when its document has come out of the cache', () => {
  expect(page.isShown).toBe(false);
  page.pageAnswered(TAB, true);
  expect(changes).toEqual([true]);
});

it('is one no more when an image comes over the network, until the next document', () => {
  page.pageAnswered(TAB, true);
  page.imageFetched();
  page.imageFetched();
  expect(changes).toEqual([true, false]);
  page.pageAnswered(TAB, true);
  expect(changes).toEqual([true, false, true]);
});

it.each([TAB, OTHER_TAB])('is one no more when the document of tab %s comes over the network', (tabId) => {
  page.pageAnswered(TAB, true);
  page.pageAnswered(tabId, false);
  expect(changes).toEqual([true, false]);
});

it('is not taken for all that is shown while another tab loads a page', () => {
  loading = [OTHER_TAB];
  page.pageAnswered(TAB, true);
  expect(page.isShown).toBe(false);
});

it('is the next one of its own tab, too, whatever the one before still asks for', () => {
  loading = [TAB];
  page.pageAnswered(TAB, true);
  page.pageAnswered(TAB, true);
  expect(changes).toEqual([true]);
});
