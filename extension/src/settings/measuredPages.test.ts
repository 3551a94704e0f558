import { describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import type { KeptLink } from './keptLink.ts';
import { addMeasured, MAX_MEASURED, measuredOf, nameOf, storedMeasured, type MeasuredPages } from './measuredPages.ts';
import { measuredPage } from './testing.ts';

const PAGE = measuredPage();
const [URL_OF, NOW_MS] = [PAGE.page, PAGE.atMs + DAY_MS];
const SLOW = PAGE.link;
const FAST: KeptLink = { rateBitsPerSecond: 40_000_000, rttMs: 12 };

it.each([
  ['https://a.test/page', 'https://a.test/page'],
  ['https://a.test/page#part', 'https://a.test/page'],
  ['https://a.test:8443/', 'https://a.test:8443/'],
  ['https://a.test/search?q=one', null],
  ['https://me:secret@a.test/', null],
  ['https://a.test/share/b7Kq92Zw1LmX44', null],
  ['https://a.test/users/me@mail.test', null],
])('%s is named %s: of what can not be told from another page nothing is kept', (url, name) => expect(nameOf(url)).toBe(name));

describe('what was measured of pages', () => {
  it('is the latest of a page on a link, and of another link only where there is none of this one', () => {
    let pages: MeasuredPages = [];
    for (const page of [measuredPage({ pairs: 6 }), measuredPage({ page: 'https://b.test/' }), measuredPage({ pairs: 7, link: FAST }), measuredPage({ pairs: 8 })]) pages = addMeasured(pages, page);
    expect(pages.map(({ page, pairs }) => [page, pairs])).toEqual([['https://b.test/', 8], [URL_OF, 7], [URL_OF, 8]]);
    expect(measuredOf(pages, `${URL_OF}#x`, SLOW, NOW_MS)?.pairs).toBe(8);
    expect(measuredOf(pages, URL_OF, FAST, NOW_MS)?.pairs).toBe(7);
    expect(measuredOf(pages, URL_OF, null, NOW_MS)?.pairs).toBe(8);
    expect(measuredOf(pages, `${URL_OF}?q=1`, SLOW, NOW_MS)).toBeNull();
    expect(measuredOf(pages, 'https://c.test/', SLOW, NOW_MS)).toBeNull();
  });

  it('is one of a page on links that nobody has measured, too', () => {
    const unknown = measuredPage({ link: null });
    expect(addMeasured(addMeasured([], unknown), unknown)).toHaveLength(1);
  });

  it('is forgotten after two months, and when there are too many', () => {
    expect(measuredOf([PAGE], URL_OF, SLOW, PAGE.atMs + 60 * DAY_MS)).toEqual(PAGE);
    expect(measuredOf([PAGE], URL_OF, SLOW, PAGE.atMs + 61 * DAY_MS)).toBeNull();
    expect(addMeasured([PAGE], measuredPage({ page: 'https://b.test/', atMs: PAGE.atMs + 61 * DAY_MS }))).toHaveLength(1);
    let pages: MeasuredPages = [];
    for (let count = 0; count <= MAX_MEASURED; count += 1) pages = addMeasured(pages, measuredPage({ page: `https://${count}.test/` }));
    expect([pages.length, pages[0]?.page]).toEqual([MAX_MEASURED, 'https://1.test/']);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['something else', 'text'],
    ['of no page', [measuredPage({ page: 'page' })]],
    ['of no pairs', [measuredPage({ pairs: 0 })]],
    ['more', [{ ...PAGE, query: 'q=1' }]],
  ])('stored as %s is not used', async (_, stored) => {
    vi.stubGlobal('chrome', { storage: { local: { get: () => Promise.resolve({ measured: stored }) } } });
    expect(await storedMeasured.read()).toEqual([]);
  });

  it('is read as it was stored', async () => {
    vi.stubGlobal('chrome', { storage: { local: { get: () => Promise.resolve({ measured: [PAGE] }) } } });
    expect(await storedMeasured.read()).toEqual([PAGE]);
  });
});
