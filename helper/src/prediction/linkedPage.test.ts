import { describe, expect, it } from 'vitest';
import { mayFetchLinked } from './linkedPage.ts';

const PAGE = 'https://a.test/list?page=1';

describe('a link is fetched ahead', () => {
  it.each([
    '/', '/news/2026/11/a-new-york-post-report-on-how-to-delete-files', '/item/123', '/list?page=2', '/search?q=rain&sort=date', '/a.html', '/A.PHP?id=7', '/books/', '/category/shoes', '/w/index.php?title=Cancel_culture_in_the_modern_age',
    '/reports/2025/q3', '/products/blue-shirt?size=m', '/article.123/',
  ])('to %s', (path) => expect(mayFetchLinked(PAGE, new URL(path, PAGE).href)).toBe(true));
});

describe('a link is not fetched ahead', () => {
  it.each([
    ['of another origin', 'https://b.test/'],
    ['of another scheme', 'http://a.test/'],
    ['of another port', 'https://a.test:8443/'],
    ['of an application', 'mailto:a@a.test'],
    ['of a script', 'javascript:go()'],
    ['with a name and password', 'https://u:p@a.test/'],
    ['to the page itself', PAGE],
    ['to what is no URL', 'https://a.test:x/'],
    ['to a place in a page', 'https://a.test/next#part'],
    ['to what no browser would write', 'https://a.test/a b'],
    ['to what would be more than a path', 'https://a.test/a\r\nX: 1'],
  ])('%s', (_, url) => expect(mayFetchLinked(PAGE, url)).toBe(false));

  it.each([
    '/logout', '/Account/LogOff', '/log-out', '/user/sign_out', '/users/delete/7', '/cart/add?id=3', '/add-to-cart/3', '/addToCart/3', '/unsubscribe/abc', '/item/3/vote', '/like', '/checkout',
    '/index.php?action=view', '/?do=show', '/x?op=1', '/item?cmd=rm', '/item?token=abc', '/p?id=1&logout=1', '/p?add-to-cart=55', '/p?next=sign-out', '/wp-login.php', '/download/a', '/items/%64elete?remove%5Fitem=1', '/a;jsessionid=1',
    '/a.zip', '/a.pdf', '/movie.mp4', '/setup.exe', '/photo.JPG', '/v1.2', '/feed.xml',
  ])('to %s', (path) => expect(mayFetchLinked(PAGE, new URL(path, PAGE).href)).toBe(false));
});
