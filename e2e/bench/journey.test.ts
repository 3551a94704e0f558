import { describe, expect, it } from 'vitest';
import type { Artifacts } from '../metrics/artifacts.ts';
import type { MeasuredPage } from '../metrics/measuredPage.ts';
import { nextLink, siteDocuments, travel, urlOf } from './journey.ts';

const ENTRY = 'https://www.a.test/';
const object = (url: string, contentType = 'text/html; charset=utf-8', status = 200) => ({ url, contentType, status, servedBytes: 1 });
const link = (url: string) => ({ url, x: 1, y: 1 });

describe('siteDocuments', () => {
  it('has the other documents of the entry\'s host, whatever the scheme', () => {
    const objects = [object(ENTRY), object('http://www.a.test/2'), object('https://www.a.test/3?x=1')];
    expect([...siteDocuments(objects, 'http://www.a.test/')]).toEqual(['//www.a.test/2', '//www.a.test/3?x=1']);
  });

  it.each([
    ['another host', object('https://ads.test/frame')],
    ['no document', object('https://www.a.test/a.png', 'image/png')],
    ['an error', object('https://www.a.test/gone', 'text/html', 404)],
    ['the entry over the other scheme', object('http://www.a.test/')],
  ])('leaves out %s', (_, other) => {
    expect(siteDocuments([object(ENTRY), other], ENTRY).size).toBe(0);
  });
});

describe('nextLink', () => {
  const documents = siteDocuments([object(ENTRY), object('https://www.a.test/2'), object('https://www.a.test/3')], ENTRY);

  it('is the first link to a recorded page that has not been visited', () => {
    const links = [link('https://www.a.test/not-recorded'), link('https://elsewhere.test/2'), link(`${ENTRY}#top`), link('https://www.a.test/2#comments'), link('http://www.a.test/3')];
    expect(nextLink(links, documents, [ENTRY])).toBe(links[3]);
    expect(nextLink(links, documents, [ENTRY, 'https://www.a.test/2'])).toBe(links[4]);
    expect(nextLink(links, documents, [ENTRY, 'https://www.a.test/2', 'https://www.a.test/3'])).toBeNull();
  });
});

describe('travel', () => {
  /** Through a site whose pages all have the same links. */
  const through = async (count: number, links: readonly string[]): Promise<string[]> => {
    const documents = siteDocuments([object(ENTRY), ...Array.from({ length: count }, (_, place) => object(`${ENTRY}${place + 1}`))], ENTRY);
    const page = { evaluate: () => Promise.resolve(links.map(link)) } as unknown as MeasuredPage;
    const pages = await travel(page, documents, (to) => Promise.resolve({ layout: [{ url: to?.url ?? ENTRY }] } as unknown as Artifacts), 0);
    return pages.map(urlOf);
  };
  const LINKS = ['1', '2', '3', '4', '5', '6'].map((name) => ENTRY + name);

  it('goes from page to page by links, to five at most', async () => {
    expect(await through(6, LINKS)).toEqual([ENTRY, ...LINKS.slice(0, 4)]);
    expect(await through(2, LINKS)).toEqual([ENTRY, ...LINKS.slice(0, 2)]);
  });

  it('fails where no link leads to a recorded page', async () => {
    await expect(through(6, [])).rejects.toMatchObject({ code: 'NO_JOURNEY' });
  });
});
