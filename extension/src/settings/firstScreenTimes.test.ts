import { beforeEach, expect, it, vi } from 'vitest';
import { forgetTimesOf } from './firstScreenTimes.ts';
import { addVisit, storedHistory } from './history.ts';
import { storedMeasured } from './measuredPages.ts';
import { fakeStorage, measuredPage } from './testing.ts';

let stored: Record<string, unknown>;
beforeEach(() => {
  stored = {};
  vi.stubGlobal('chrome', { storage: { local: fakeStorage(stored) } });
});

const visited = (host: string): Promise<void> => storedHistory.change((history) => addVisit(history, host, 'with', { isrtMs: 1, day: 1, link: null }));
const measured = (page: string): Promise<void> => storedMeasured.change((pages) => [...pages, measuredPage({ page })]);

it('forgets the hosts of pages that the browser has erased from its history, or all with it', async () => {
  for (const host of ['a.test', 'b.test:8080', 'c.test']) {
    await visited(host);
    await measured(`https://${host}/page`);
  }
  // Chromium has it from 126 on
  vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('URL.parse is not a function');
  });
  await forgetTimesOf(['https://b.test:8080/other?q=1', 'about:blank', 'no URL']);
  expect((await storedHistory.read()).map(({ host }) => host)).toEqual(['a.test', 'c.test']);
  expect((await storedMeasured.read()).map(({ page }) => page)).toEqual(['https://a.test/page', 'https://c.test/page']);
  await forgetTimesOf(null);
  expect(stored).toEqual({});
});

it('loses nothing of two changes that come together, and leaves nothing when it is empty', async () => {
  await Promise.all([visited('a.test'), visited('b.test')]);
  expect((await storedHistory.read()).map(({ host }) => host)).toEqual(['a.test', 'b.test']);
  await storedHistory.change(() => []);
  expect(stored).toEqual({});
});
