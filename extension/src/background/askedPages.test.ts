import { expect, it } from 'vitest';
import { AskedPages } from './askedPages.ts';

it('knows what a tab was asked for before it was redirected, however often', () => {
  const pages = new AskedPages();
  pages.navigated(1, 'http://a.test/', false);
  pages.navigated(1, 'https://a.test/', true);
  pages.navigated(2, 'https://b.test/', false);
  pages.navigated(1, 'https://www.a.test/', true);
  expect([pages.before(1, 'https://www.a.test/'), pages.before(2, 'https://b.test/')]).toEqual(['http://a.test/', 'https://b.test/']);
});

it('takes nothing for a redirect that is none: a page that has given itself another address, another navigation, a tab that is not known', () => {
  const pages = new AskedPages();
  pages.navigated(1, 'https://a.test/', false);
  pages.navigated(1, 'https://b.test/', false);
  expect([pages.before(1, 'https://b.test/'), pages.before(1, 'https://b.test/#/inbox'), pages.before(3, 'https://c.test/')]).toEqual(['https://b.test/', 'https://b.test/#/inbox', 'https://c.test/']);
  pages.navigated(1, 'https://c.test/', true);
  pages.forgetTab(1);
  expect(pages.before(1, 'https://c.test/')).toBe('https://c.test/');
});
