import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TabOwner } from './ordinaryTab.ts';
import { watchUpgradedHosts } from './upgradedHosts.ts';

const TAB = 1;
/** Of requests that belong to no tab, as webRequest gives it. */
const NO_TAB = -1;
const CLOSED = 9;
const TABS = new Map<number, TabOwner>([
  [TAB, { incognito: false }],
  [2, { incognito: true }],
  [3, { incognito: false, cookieStoreId: 'firefox-default' }],
  [4, { incognito: false, cookieStoreId: 'firefox-container-1' }],
  [5, { incognito: true, cookieStoreId: 'firefox-private' }],
]);

type Listener = (details: { tabId: number; url: string; redirectUrl: string }) => void;

let listeners: Set<Listener>;
let watch: (isWanted: boolean) => void;
let areUsed: boolean;
let offTabs: number[];
let told: string[][];
beforeEach(() => {
  vi.useFakeTimers();
  [told, areUsed, offTabs, listeners] = [[], true, [], new Set()];
  const get = async (tabId: number): Promise<TabOwner> => TABS.get(tabId) ?? Promise.reject(new Error('no tab with this id'));
  vi.stubGlobal('chrome', { tabs: { get }, webRequest: { onBeforeRedirect: { addListener: (each: Listener) => listeners.add(each), removeListener: (each: Listener) => listeners.delete(each), hasListener: (each: Listener) => listeners.has(each) } } });
  watch = watchUpgradedHosts((tabId) => areUsed && !offTabs.includes(tabId), (hosts) => told.push(hosts));
});
afterEach(() => vi.useRealTimers());

const redirected: Listener = (details) => listeners.forEach((listener) => listener(details));

it.each([
  ['the same URL by https:', 'http://a.test/x?y', 'https://a.test/x?y', [['a.test']]],
  ['the same with a port', 'http://a.test:8080/', 'https://a.test:8080/', [['a.test']]],
  ['another path', 'http://a.test/', 'https://a.test/login', []],
  ['another host', 'http://a.test/', 'https://www.a.test/', []],
  ['in clear', 'http://a.test/', 'http://a.test/x', []],
])('a redirect to %s', async (_, url, redirectUrl, expected) => {
  redirected({ tabId: TAB, url, redirectUrl });
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual(expected);
});

it.each([
  ['a tab', TAB, [['a.test']]],
  ['a private window', 2, []],
  ['a tab of Firefox outside of containers', 3, [['a.test']]],
  ['a container', 4, []],
  ['a private window of Firefox', 5, []],
  ['no tab', NO_TAB, []],
  ['a tab that is gone', CLOSED, []],
])('a redirect in %s', async (_, tabId, expected) => {
  redirected({ tabId, url: 'http://a.test/', redirectUrl: 'https://a.test/' });
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual(expected);
});

it('nothing is told of a tab that shows by then what the helper is not to hear of', async () => {
  redirected({ tabId: TAB, url: 'http://a.test/', redirectUrl: 'https://a.test/' });
  offTabs = [TAB];
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual([]);
});

it('hosts are told once for a burst of a tab, and again in the next', async () => {
  for (let i = 0; i < 300; i += 1) redirected({ tabId: TAB, url: `http://${i % 3}.test/${i}`, redirectUrl: `https://${i % 3}.test/${i}` });
  redirected({ tabId: 2, url: 'http://secret.test/', redirectUrl: 'https://secret.test/' });
  await vi.advanceTimersByTimeAsync(100);
  redirected({ tabId: TAB, url: 'http://1.test/', redirectUrl: 'https://1.test/' });
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual([['0.test', '1.test', '2.test'], ['1.test']]);
});

it('a message has a hundred hosts at most', async () => {
  for (let i = 0; i < 101; i += 1) redirected({ tabId: TAB, url: `http://${i}.test/`, redirectUrl: `https://${i}.test/` });
  await vi.advanceTimersByTimeAsync(100);
  expect(told.map((hosts) => hosts.length)).toEqual([100]);
});

it('nothing is told while the browser goes by itself; a worker that this woke tells when it goes by the helper in time', async () => {
  for (const [before, after] of [[false, false], [true, false], [false, true]] as const) {
    areUsed = before;
    redirected({ tabId: TAB, url: `http://${before}.${after}.test/`, redirectUrl: `https://${before}.${after}.test/` });
    areUsed = after;
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(told).toEqual([['false.true.test']]);
});

it('is listened for from the start, and while it is wanted', () => {
  const counts = [listeners.size];
  for (const isWanted of [true, false, false, true]) {
    watch(isWanted);
    counts.push(listeners.size);
  }
  expect(counts).toEqual([1, 1, 0, 0, 1]);
});
