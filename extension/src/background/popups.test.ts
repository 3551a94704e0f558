import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { STATUS_PORT } from '../messages/status.ts';
import { Popups } from './popups.ts';
import { FakeRuntime, OWN_PAGES } from './testing.ts';

let runtime: FakeRuntime;
let popups: Popups;
beforeEach(() => {
  vi.useFakeTimers();
  runtime = new FakeRuntime();
  vi.stubGlobal('chrome', { runtime });
  popups = new Popups();
  popups.accept();
});
afterEach(() => vi.useRealTimers());

const open = (page: Partial<Parameters<FakeRuntime['open']>[0]> = {}): ReturnType<FakeRuntime['open']> => runtime.open({ name: STATUS_PORT, url: `${OWN_PAGES}popup.html`, ...page });

it('a popup is told at once that it is heard, then once of a burst of changes, and again of the next', () => {
  const popup = open();
  expect(popup.told).toHaveLength(1);
  for (let i = 0; i < 9; i += 1) popups.changed();
  expect(popup.told).toHaveLength(1);
  vi.runAllTimers();
  expect(popup.told).toHaveLength(2);
  popups.changed();
  vi.runAllTimers();
  expect(popup.told).toHaveLength(3);
});

it('a closed popup is told nothing, and nothing waits for one', () => {
  const popup = open();
  popups.changed();
  popup.close();
  vi.runAllTimers();
  popups.changed();
  expect(vi.getTimerCount()).toBe(0);
  expect(popup.told).toHaveLength(1);
});

it('they are open while one is', () => {
  const [one, other] = [open(), open()];
  one.close();
  expect(popups.areOpen).toBe(true);
  other.close();
  expect(popups.areOpen).toBe(false);
});

it.each([
  ['a content script', { url: 'https://a.test/' }],
  ['another extension', { id: 'other' }],
  ['a document', { name: 'document' }],
])('%s is told nothing', (_, sender) => {
  const other = open(sender);
  popups.changed();
  vi.runAllTimers();
  expect(other.told).toHaveLength(0);
});
