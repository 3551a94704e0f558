import { describe, expect, it } from 'vitest';
import { pageKeys } from './pageKey.ts';

describe('pageKeys', () => {
  it.each([
    ['https://A.test', 'https://a.test/', 'https://a.test/'],
    ['https://a.test/?q=private#x', 'https://a.test/', 'https://a.test/'],
    ['https://a.test/news/', 'https://a.test/news/', 'https://a.test/news/'],
    ['https://a.test/news/2026/11/some-title.html', 'https://a.test/news/2026/11/some-title.html', 'https://a.test/news/*/*/*'],
    ['https://a.test/u/a-name-that-is-quite-a-bit-longer/photos', 'https://a.test/u/a-name-that-is-quite-a-bit-longer/photos', 'https://a.test/u/*/*'],
    ['http://a.test:8080/about', 'http://a.test:8080/about', 'http://a.test:8080/*'],
  ])('%s', (url, page, template) => expect(pageKeys(url)).toEqual({ page, template }));
});
