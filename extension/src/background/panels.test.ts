import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BackgroundMessage } from '../../../shared/src/protocol/content.ts';
import { PANEL_PORT, type HelpState, type LinkSample } from '../messages/panel.ts';
import { Panels } from './panels.ts';
import { FakeRuntime, OWN_PAGES } from './testing.ts';

const LINK: LinkSample = { atMs: 0, rateBitsPerSecond: 1e6, rttMs: 100, isMeasured: true };
const STATE: HelpState = { isHelping: true, helper: 'absent', canRecord: false, connections: 'browser', driver: null };

let runtime: FakeRuntime;
let panels: Panels;
let recordings: boolean[];
beforeEach(() => {
  vi.useFakeTimers();
  recordings = [];
  runtime = new FakeRuntime();
  vi.stubGlobal('chrome', { runtime });
  panels = new Panels({ recording: (isWanted) => recordings.push(isWanted), link: () => LINK, state: () => Promise.resolve(STATE) });
  panels.accept();
});
afterEach(() => vi.useRealTimers());

const open = (page: Partial<Parameters<FakeRuntime['open']>[0]> = {}): ReturnType<FakeRuntime['open']> => runtime.open({ name: PANEL_PORT, url: `${OWN_PAGES}panel.html`, ...page });
const watch = (tabId: number, isRecording = true): object => ({ type: 'watch', tabId, isRecording });
const timing = { type: 'timing', startMs: 1, firstPaintMs: null, contentfulPaintMs: null, parsedMs: null, loadedMs: null } as const;

it('a document is inspected while a panel records its tab, whichever of the two is there first', () => {
  const heard: BackgroundMessage[] = [];
  const first = panels.connected(1, (message) => heard.push(message));
  const panel = open();
  panel.say(watch(1));
  panels.connected(1, (message) => heard.push(message));
  first();
  panel.say(watch(1, false));
  panel.say(watch(1));
  panel.close();
  expect(heard).toEqual([true, true, false, true, false].map((isWatched) => ({ type: 'inspect', isWatched })));
});

it('they are open while one is, also one that records nothing', () => {
  expect(panels.areOpen).toBe(false);
  const [one, other] = [open(), open()];
  one.close();
  other.say(watch(1, false));
  expect(panels.areOpen).toBe(true);
  other.close();
  expect(panels.areOpen).toBe(false);
});

it('each panel hears of its own tab, and of the requests of all', async () => {
  const [one, two] = [open(), open()];
  one.say(watch(1));
  two.say(watch(2));
  await vi.runAllTimersAsync();
  for (const { told } of [one, two]) told.length = 0;
  panels.said(1, timing);
  panels.said(2, { type: 'standDown' });
  panels.gated(2, { atMs: 5, url: 'https://a.test/', isHeld: true });
  panels.requests({ wallOffsetMs: 0, events: [] });
  await vi.runAllTimersAsync();
  expect(one.told.map(({ type }) => type)).toEqual(['timing', 'requests']);
  expect(two.told.map(({ type }) => type)).toEqual(['requests', 'gate']);
});

it('hears at once how things stand', async () => {
  const panel = open();
  panel.say(watch(1));
  await vi.runAllTimersAsync();
  expect(panel.told).toEqual([{ type: 'state', state: STATE }, { type: 'link', link: LINK }]);
});

it('the helper records while some panel does, and nothing waits when none is open', () => {
  const [one, two] = [open(), open()];
  one.say(watch(1));
  two.say(watch(1));
  one.close();
  expect(recordings.at(-1)).toBe(true);
  two.close();
  expect(recordings.at(-1)).toBe(false);
  vi.runAllTimers();
  const before = recordings.length;
  panels.linkChanged();
  panels.stateChanged();
  panels.gated(1, { atMs: 0, url: 'https://a.test/', isHeld: true });
  expect(vi.getTimerCount()).toBe(0);
  expect(recordings).toHaveLength(before);
});

/** What nobody may look at, let alone keep or copy. */
function untouchable(): never {
  const touched = (): never => {
    throw new Error('somebody has looked at it');
  };
  return new Proxy({}, { get: touched, has: touched, ownKeys: touched, getOwnPropertyDescriptor: touched }) as never;
}

it.each<[string, () => void]>([
  ['none was opened', () => undefined],
  ['the last one was closed', () => {
    const panel = open();
    panel.say(watch(1));
    panel.close();
  }],
])('while no panel is open nothing is recorded, copied, sent or asked for: %s', (_, before) => {
  before();
  vi.runAllTimers();
  const ask = vi.fn<(what: string) => never>();
  const host = { recording: () => ask('recording'), link: () => ask('link'), state: () => ask('state') };
  Object.assign((panels as unknown as { readonly host: object }).host, host);
  const heard: BackgroundMessage[] = [];
  const leave = panels.connected(1, (message) => heard.push(message));
  panels.said(1, untouchable());
  panels.gated(1, untouchable());
  panels.requests(untouchable());
  panels.linkChanged();
  panels.stateChanged();
  leave();
  expect([heard, ask.mock.calls, vi.getTimerCount()]).toEqual([[], [], 0]);
});

it.each([
  ['a content script', { url: 'https://a.test/' }],
  ['another extension', { id: 'other' }],
  ['a popup', { name: 'status' }],
])('%s is told nothing', async (_, sender) => {
  const other = open(sender);
  other.say(watch(1));
  panels.said(1, timing);
  await vi.runAllTimersAsync();
  expect(other.told).toEqual([]);
});

it('what is no wish of a panel changes nothing', () => {
  open().say({ type: 'watch', tabId: 'all', isRecording: true });
  expect(recordings).toEqual([]);
});
