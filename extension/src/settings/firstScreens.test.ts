import { beforeEach, expect, it, vi } from 'vitest';
import { firstScreenOf, forgetFirstScreen, forgetFirstScreens, keepFirstScreen, watchFirstScreens } from './firstScreens.ts';
import { fakeStorage } from './testing.ts';

const [TAB, URL] = [3, 'https://a.test/page?q=1'];
let stored: Record<string, unknown>;
let listeners: ((changes: object) => void)[];
beforeEach(() => {
  [stored, listeners] = [{}, []];
  const onChanged = { addListener: (listener: (changes: object) => void) => listeners.push(listener) };
  vi.stubGlobal('chrome', { storage: { session: { ...fakeStorage(stored), onChanged } } });
});

it('is known of the page that a tab shows, whatever part of it, until it is forgotten', async () => {
  keepFirstScreen(TAB, `${URL}#top`, { isrtMs: 2_100, side: 'with' });
  expect(await firstScreenOf(TAB, `${URL}#end`)).toEqual({ isrtMs: 2_100, side: 'with' });
  expect(await firstScreenOf(TAB + 1, URL)).toBeNull();
  forgetFirstScreen(TAB);
  expect(await firstScreenOf(TAB, URL)).toBeNull();
});

it('is not taken for that of another page which the tab shows again', async () => {
  keepFirstScreen(TAB, URL, { isrtMs: 2_100, side: 'with' });
  expect(await firstScreenOf(TAB, 'https://a.test/before')).toBeNull();
});

it('is forgotten of all tabs at once, and nothing else is', async () => {
  stored['link'] = {};
  for (const tab of [TAB, TAB + 1]) keepFirstScreen(tab, URL, { isrtMs: 2_100, side: 'with' });
  await forgetFirstScreens();
  expect(stored).toEqual({ link: {} });
});

it('is nothing where what is stored does not fit', async () => {
  keepFirstScreen(TAB, URL, { isrtMs: Number.NaN, side: 'with' });
  expect(await firstScreenOf(TAB, URL)).toBeNull();
});

it('tells of its changes, and of no other ones', () => {
  const changed = vi.fn();
  watchFirstScreens(changed);
  for (const listener of listeners) listener({ link: {} });
  expect(changed).not.toHaveBeenCalled();
  for (const listener of listeners) listener({ 'firstScreen 3': {} });
  expect(changed).toHaveBeenCalledOnce();
});
