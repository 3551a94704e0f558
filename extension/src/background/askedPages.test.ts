import { expect, it } from 'vitest';
import { AskedPages } from './askedPages.ts';

it('knows what a tab was asked for before it was redirected, however often', () => {
  const pages = new AskedPages();
  pages.navigated(1, 'http://a.test/', false);
  pages.navigated(1, 'https://a.test/', true);
  pages.navigated(2, 'https://b.test/', false);
  pages.navigated(1, 'https://www.a.test/', true);
  expect([pages.of(1, 'https://www.a.test/').asked, pages.of(2, 'https://b.test/').asked]).toEqual(['http://a.test/', 'https://b.test/']);
});

it('takes nothing for a redirect that is none: a page that has given itself another address, another navigation, a tab that is not known', () => {
  const pages = new AskedPages();
  pages.navigated(1, 'https://a.test/', false);
  pages.navigated(1, 'https://b.test/', false);
  expect([pages.of(1, 'https://b.test/').asked, pages.of(1, 'https://b.test/#/inbox').asked, pages.of(3, 'https://c.test/').asked]).toEqual(['https://b.test/', 'https://b.test/#/inbox', 'https://c.test/']);
  pages.navigated(1, 'https://c.test/', true);
  expect([pages.latest(1), pages.latest(3)]).toEqual(['https://c.test/', null]);
  pages.forgetTab(1);
  expect(pages.of(1, 'https://c.test/').asked).toBe('https://c.test/');
  expect(pages.latest(1)).toBeNull();
});

it('knows the fonts that a page has asked for, and those of no other one', () => {
  const pages = new AskedPages();
  pages.fontAsked(1, 'https://f.test/nobody.woff2');
  pages.navigated(1, 'https://a.test/', false);
  // a subset is named by its letters; the helper would take nothing of a page that names one so long
  for (const name of ['a', 'a', 'x'.repeat(2048), 'b']) pages.fontAsked(1, `https://f.test/${name}.woff2`);
  expect(pages.of(1, 'https://a.test/').fonts).toEqual(['https://f.test/a.woff2', 'https://f.test/b.woff2']);
  expect(pages.of(1, 'https://other.test/').fonts).toEqual([]);
  pages.navigated(1, 'https://b.test/', false);
  expect(pages.of(1, 'https://b.test/').fonts).toEqual([]);
});

it('knows a page that was asked for by sending a form, and not the one that it was redirected to', () => {
  const pages = new AskedPages();
  pages.navigated(1, 'https://a.test/order', false, 'POST');
  expect([pages.wasPosted(1, 'https://a.test/order'), pages.wasPosted(2, 'https://a.test/order')]).toEqual([true, false]);
  // who goes back from there is shown a page that nobody has asked for again
  expect(pages.wasPosted(1, 'https://a.test/basket')).toBe(false);
  pages.navigated(1, 'https://a.test/thanks', true, 'GET');
  expect(pages.wasPosted(1, 'https://a.test/thanks')).toBe(false);
});
