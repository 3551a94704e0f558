import { beforeEach, expect, it } from 'vitest';
import type { BackgroundMessage, PointedLink } from '../../../shared/src/protocol/content.ts';
import { LinkWatch } from './linkWatch.ts';

const LINK: PointedLink = { page: 'https://a.test/', url: 'https://a.test/next', isLikely: true, referrerPolicy: null };
const TAB = 1;
const ON: BackgroundMessage = { type: 'links', isWatched: true };
const OFF: BackgroundMessage = { type: 'links', isWatched: false };

let isMetered: boolean;
let told: PointedLink[];
let offPages: string[];
let offTabs: number[];
let watch: LinkWatch;
beforeEach(() => {
  [isMetered, told, offPages, offTabs] = [false, [], [], []];
  watch = new LinkWatch({ isMetered: () => isMetered, mayWatch: (url, tabId) => !offPages.includes(url) && !offTabs.includes(tabId), pointed: (link) => told.push(link) });
});

it('documents watch their links while that is wanted, whenever they come, and are told nothing otherwise', () => {
  const [early, late]: [BackgroundMessage[], BackgroundMessage[]] = [[], []];
  const leave = watch.connected(LINK.page, TAB, (message) => early.push(message));
  watch.want(false);
  expect(early).toEqual([]);
  watch.want(true);
  watch.connected(LINK.page, TAB, (message) => late.push(message));
  expect([early, late]).toEqual([[ON], [ON]]);
  leave();
  watch.want(false);
  expect([early, late]).toEqual([[ON], [ON, OFF]]);
});

it.each([
  ['while it is wanted', true, false, 1],
  ['not when it is not wanted any more', false, false, 0],
  ['not while data cost', true, true, 0],
])('a link is passed on %s', (_, isWanted, isMeteredNow, count) => {
  isMetered = isMeteredNow;
  watch.want(isWanted);
  watch.pointed(LINK, TAB);
  expect(told).toHaveLength(count);
});

it('documents of pages that may not be watched are told nothing, and to stop when that is decided later', () => {
  const [page, other]: [BackgroundMessage[], BackgroundMessage[]] = [[], []];
  watch.connected('https://off.test/', TAB, (message) => page.push(message));
  watch.connected(LINK.page, TAB, (message) => other.push(message));
  offPages = ['https://off.test/'];
  watch.want(true);
  expect([page, other]).toEqual([[], [ON]]);
  offPages = [LINK.page];
  watch.want(true);
  expect([page, other]).toEqual([[ON], [ON, OFF]]);
});

it.each([
  ['in', LINK.page],
  ['to', LINK.url],
])('no link is passed on %s a page that may not be watched', (_, url) => {
  offPages = [url];
  watch.want(true);
  watch.pointed(LINK, TAB);
  expect(told).toEqual([]);
});

it('a tab whose page may not be watched is told nothing, and nothing is passed on of it', () => {
  const [page, other]: [BackgroundMessage[], BackgroundMessage[]] = [[], []];
  offTabs = [TAB];
  watch.connected(LINK.page, TAB, (message) => page.push(message));
  watch.connected(LINK.page, 2, (message) => other.push(message));
  watch.want(true);
  watch.pointed(LINK, TAB);
  expect([page, other, told]).toEqual([[], [ON], []]);
});
