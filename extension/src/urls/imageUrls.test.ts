import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { imageUrlsOf, requestedUrl, srcsetUrls, withoutFragment } from './imageUrls.ts';

const ORIGIN = 'http://page.test';
const BASE = `${ORIGIN}/dir/index.html`;

describe('URLs in a CSS value', () => {
  it.each([
    ['url(a.png)', ['http://page.test/dir/a.png']],
    [`url("a b.png"), url('/c.png')`, ['http://page.test/dir/a%20b.png', 'http://page.test/c.png']],
    ['linear-gradient(red, blue), url( //cdn.test/x.png ) no-repeat', ['http://cdn.test/x.png']],
    ['url(sprite.svg#one)', ['http://page.test/dir/sprite.svg']],
    ['url("a\\"b.png")', ['http://page.test/dir/a%22b.png']],
    ['url(data:image/png;base64,AAAA)', []],
    ['url(http://:bad:/)', []],
    ['none', []],
  ])('%s', (value, urls) => expect(imageUrlsOf(value, BASE, ORIGIN)).toEqual(urls));

  it('any web URL that is quoted is found, without its fragment', () => {
    fc.assert(
      fc.property(fc.array(fc.webUrl({ withFragments: true, withQueryParameters: true }), { maxLength: 5 }), (urls) => {
        const value = urls.map((url) => `url("${url}")`).join(', ');
        expect(imageUrlsOf(value, BASE, ORIGIN)).toEqual(urls.map((url) => withoutFragment(new URL(url).href)));
      }),
    );
  });
});

it.each([
  ['http://a.test/x.png', 'https://page.test', 'https://a.test/x.png'],
  ['http://a.test:8080/x.png', 'https://page.test', 'https://a.test:8080/x.png'],
  ['http://a.test/x.png', 'http://page.test', 'http://a.test/x.png'],
  ['https://a.test/x.png', 'https://page.test', 'https://a.test/x.png'],
  ['http://10.0.0.1/x.png', 'https://page.test', 'http://10.0.0.1/x.png'],
  ['http://[', 'https://page.test', 'http://['],
  ['http://[::1]/x.png', 'https://page.test', 'http://[::1]/x.png'],
  ['http://app.localhost/x.png', 'https://page.test', 'http://app.localhost/x.png'],
])('%s, named by a page of %s, is asked for as %s', (url, origin, asked) => expect(requestedUrl(url, origin)).toBe(asked));

describe('URLs in a srcset', () => {
  it.each([
    ['a.png', ['a.png']],
    ['a.png, b.png 2x', ['a.png', 'b.png']],
    ['a.png 1x,b.png 2x,\n\tc.png 1.5x', ['a.png', 'b.png', 'c.png']],
    ['a,b.png 640w, /c?d=e,f 1280w', ['a,b.png', '/c?d=e,f']],
    [' , a.png ,, b.png 320w 200h,', ['a.png', 'b.png']],
    ['data:image/png;base64,AA== 1x, 2x.png 2x', ['data:image/png;base64,AA==', '2x.png']],
    ['', []],
    [' ,, ', []],
  ])('%j', (srcset, urls) => expect(srcsetUrls(srcset)).toEqual(urls));

  it('any URL is found', () => {
    const candidate = fc.tuple(fc.webUrl({ withQueryParameters: true }).filter((url) => !url.endsWith(',')), fc.constantFrom('', ' 2x', ' 1.5x', ' 640w', ' 640w 480h'));
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 5 }), (candidates) => {
        expect(srcsetUrls(candidates.map(([url, descriptors]) => url + descriptors).join(', '))).toEqual(candidates.map(([url]) => url));
      }),
    );
  });
});
