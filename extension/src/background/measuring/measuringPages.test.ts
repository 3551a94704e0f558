import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MEASURING_PORT, type Subject } from '../../messages/measuring.ts';
import { FakeRuntime, OWN_PAGES } from '../testing.ts';
import { MeasuringPages } from './measuringPages.ts';

const SUBJECT: Subject = { host: 'a.test', refusal: null, isMetered: false, isHelped: true, canBeginCold: true, hasMemory: false };
const START = { type: 'start', tabId: 3, options: { pairs: 6, visit: 'first', isCold: false }, maySpend: false };

let runtime: FakeRuntime;
let asked: unknown[];
let pages: MeasuringPages;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  runtime = new FakeRuntime();
  vi.stubGlobal('chrome', { runtime });
  pages = new MeasuringPages();
  pages.accept({
    measurement: null,
    look: () => Promise.resolve(SUBJECT),
    start: (...start) => {
      asked.push(['start', ...start]);
      return Promise.resolve(SUBJECT);
    },
    goOn: () => asked.push(['goOn']),
    cancel: () => asked.push(['cancel']),
  });
});
afterEach(() => vi.useRealTimers());

const open = (page: Partial<Parameters<FakeRuntime['open']>[0]> = {}): ReturnType<FakeRuntime['open']> => runtime.open({ name: MEASURING_PORT, url: `${OWN_PAGES}measure.html?tab=3`, ...page });

it('a page hears how a measurement stands, and what there is to say of its tab', async () => {
  const page = open();
  page.say({ type: 'look', tabId: 3 });
  await vi.advanceTimersByTimeAsync(0);
  expect(page.told).toEqual([{ type: 'measurement', measurement: null }, { type: 'subject', subject: SUBJECT }]);
});

it('a page begins and ends a measurement', () => {
  const page = open();
  for (const message of [START, { type: 'goOn' }, { type: 'cancel' }]) page.say(message);
  expect(asked).toEqual([['start', 3, { pairs: 6, visit: 'first', isCold: false }, false], ['goOn'], ['cancel']]);
});

it.each<[string, unknown]>([
  ['no pairs', { ...START, options: { pairs: 0, visit: 'first', isCold: false } }],
  ['too many', { ...START, options: { pairs: 51, visit: 'first', isCold: false } }],
  ['a part of one', { ...START, options: { pairs: 1.5, visit: 'first', isCold: false } }],
  ['no number', { ...START, options: { pairs: Number.NaN, visit: 'first', isCold: false } }],
  ['no word of connections', { ...START, options: { pairs: 6, visit: 'first' } }],
  ['another kind of visit', { ...START, options: { pairs: 6, visit: 'third', isCold: false } }],
  ['something more', { ...START, note: 1 }],
  ['something else', 'start'],
])('what does not fit is not heard: %s', (_, message) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  open().say(message);
  expect(asked).toEqual([]);
  expect(warn).toHaveBeenCalledOnce();
});

it.each([
  ['a content script', { url: 'https://a.test/' }],
  ['another extension', { id: 'other' }],
  ['another port', { name: 'document' }],
])('%s begins nothing, and is told nothing', (_, sender) => {
  const other = open(sender);
  other.say(START);
  expect([asked, other.told]).toEqual([[], []]);
});

it('ends what nobody watches, but not for a page that is loaded anew', () => {
  const page = open();
  page.close();
  vi.advanceTimersByTime(1_000);
  const again = open();
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([]);
  again.close();
  vi.advanceTimersByTime(10_000);
  expect(asked).toEqual([['cancel']]);
});
