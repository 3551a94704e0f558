import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { imageUrlsOf, withoutFragment } from './imageUrls.ts';

const BASE = 'http://page.test/dir/index.html';

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
  ])('%s', (value, urls) => expect(imageUrlsOf(value, BASE)).toEqual(urls));

  it('any web URL that is quoted is found, without its fragment', () => {
    fc.assert(
      fc.property(fc.array(fc.webUrl({ withFragments: true, withQueryParameters: true }), { maxLength: 5 }), (urls) => {
        const value = urls.map((url) => `url("${url}")`).join(', ');
        expect(imageUrlsOf(value, BASE)).toEqual(urls.map((url) => withoutFragment(new URL(url).href)));
      }),
    );
  });
});
