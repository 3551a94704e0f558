import fc from 'fast-check';
import { expect, it } from 'vitest';
import { siteOfHost, siteOfText, siteOfUrl } from './siteName.ts';

it.each([
  ['https://www.example.com/news?q=1#top', 'example.com'],
  ['http://example.com:8080/', 'example.com'],
  ['https://shop.example.com/', 'shop.example.com'],
  ['HTTPS://WWW.Example.COM./', 'example.com'],
  ['https://www.com/', 'www.com'],
  ['https://www.www.example.com/', 'example.com'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['http://[::1]:8000/', '[::1]'],
  ['http://127.0.0.1/', '127.0.0.1'],
  ['http://printer/', 'printer'],
  ['about:blank', null],
  ['chrome://settings/', null],
  ['moz-extension://5b1d7a52/options.html', null],
  ['file:///etc/hosts', null],
  ['https://*.example.com/', null],
  ['https://', null],
  ['', null],
])('the page %s is of the site %s', (url, site) => expect(siteOfUrl(url)).toBe(site));

it.each([
  ['example.com', 'example.com'],
  ['  www.Example.com ', 'example.com'],
  ['*.example.com', 'example.com'],
  ['example.com/path', 'example.com'],
  ['https://www.example.com/path', 'example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['localhost:3000', 'localhost'],
  ['[::1]', '[::1]'],
])('who types %j means %s', (text, site) => expect(siteOfText(text)).toBe(site));

it.each(['', 'two words', 'a@example.com', 'ftp://example.com', 'a.*.com', '*', 'https://', `${'a'.repeat(60)}.`.repeat(5)])('who types %j means no site, and is told so with a code', (text) => {
  expect(() => siteOfText(text)).toThrow(expect.objectContaining({ code: 'E_SITE' }) as Error);
});

it('a site\'s name is that of a site, whatever was typed, and stays as it is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.domain(), fc.webUrl()), (text) => {
      let site: string;
      try {
        site = siteOfText(text);
      } catch (error) {
        expect(error).toMatchObject({ code: 'E_SITE' });
        return;
      }
      expect(siteOfHost(site)).toBe(site);
      expect(siteOfUrl(`https://${site}/`)).toBe(site);
      expect(siteOfText(site)).toBe(site);
    }),
  );
});
