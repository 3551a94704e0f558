import { describe, expect, it } from 'vitest';
import { pageKeys } from './pageKey.ts';

describe('pageKeys', () => {
  it.each([
    ['https://A.test', 'https://a.test/', 'https://a.test/'],
    ['https://a.test/?q=private#x', 'https://a.test/', 'https://a.test/'],
    ['https://User:S3cret@a.test/news/', 'https://a.test/news/', 'https://a.test/news/'],
    ['https://u:p@ss@a.test:8443', 'https://a.test:8443/', 'https://a.test:8443/'],
    ['https://a.test/@somebody', 'https://a.test/@somebody', 'https://a.test/*'],
    ['https://a.test/news/', 'https://a.test/news/', 'https://a.test/news/'],
    ['https://a.test/news/2026/11/some-title.html', 'https://a.test/news/2026/11/some-title.html', 'https://a.test/news/*/*/*'],
    ['https://a.test/u/a-name-that-is-quite-a-bit-longer/photos', 'https://a.test/u/a-name-that-is-quite-a-bit-longer/photos', 'https://a.test/u/*/*'],
    ['http://a.test:8080/about', 'http://a.test:8080/about', 'http://a.test:8080/*'],
    ['https://a.test/reset/3f2a9c81d0b34e5f', 'https://a.test/reset/*', 'https://a.test/reset/*'],
    ['https://a.test/invite/AbCdEfGhIjKlMn/accept', 'https://a.test/invite/*/accept', 'https://a.test/invite/*/*'],
    ['https://a.test/s/123e4567-e89b-42d3-a456-426614174000/', 'https://a.test/s/*/', 'https://a.test/s/*/'],
    ['https://a.test/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit', 'https://a.test/d/*/edit', 'https://a.test/d/*/*'],
    ['https://a.test/shop/index.jsp;jsessionid=3F2A9C', 'https://a.test/shop/index.jsp', 'https://a.test/shop/*'],
    ['https://a.test/(S(lit3py55t21z5v55vlm25s55))/list', 'https://a.test/*/list', 'https://a.test/*/*'],
    ['https://a.test/people/jane.doe@mail.test/', 'https://a.test/people/*/', 'https://a.test/people/*/'],
    ['https://a.test/package/react@18.2.0', 'https://a.test/package/react@18.2.0', 'https://a.test/package/*'],
    ['https://a.test/wiki/2026_Summer_Games', 'https://a.test/wiki/2026_Summer_Games', 'https://a.test/wiki/*'],
    ['https://a.test/wiki/%D0%97%D0%B0%D0%B3%D0%BB%D0%B0%D0%B2%D0%B8%D0%B5', 'https://a.test/wiki/%D0%97%D0%B0%D0%B3%D0%BB%D0%B0%D0%B2%D0%B8%D0%B5', 'https://a.test/wiki/*'],
    ['https://a.test/s/3f2a9c81_d0b34e5f', 'https://a.test/s/*', 'https://a.test/s/*'],
    ['https://a.test/s/123456789012_345', 'https://a.test/s/*', 'https://a.test/s/*'],
    ['https://a.test/a-title-of-2026-with-words', 'https://a.test/a-title-of-2026-with-words', 'https://a.test/*'],
  ])('%s', (url, page, template) => expect(pageKeys(url)).toEqual({ page, template }));
});
