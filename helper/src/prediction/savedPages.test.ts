import { expect, it } from 'vitest';
import { SavedPages } from './savedPages.ts';

it.each<[string, string, boolean, boolean]>([
  ['of a host that nobody has named', 'https://a.test/', false, true],
  ['of one that saves data', 'https://on.test/news', true, true],
  ['of a host below it', 'http://www.on.test:8080/', true, true],
  ['of one that does not', 'https://off.test/', false, false],
  ['of one below a host that does not', 'https://saves.off.test/', true, true],
  ['of one below a host that does', 'https://spends.on.test/', false, false],
])('a page %s: in general not, and in general', (_, url, off, on) => {
  const hosts = { on: ['on.test', 'saves.off.test'], off: ['off.test', 'spends.on.test'] };
  expect([false, true].map((inGeneral) => new SavedPages({ inGeneral, ...hosts }).has(url))).toEqual([off, on]);
});
