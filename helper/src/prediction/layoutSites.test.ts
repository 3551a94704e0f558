import { beforeEach, expect, it } from 'vitest';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { LayoutSites } from './layoutSites.ts';

const [PAGE, CDN, COUNTER, TTL_MS] = ['https://www.page.test', 'https://js.cdn.test', 'https://count.other.test', 30_000];
const CHROMIUM: RawHeaders = ['Sec-CH-UA', '"Chromium";v="156"'];
const ADDED: RawHeaders = [...CHROMIUM, 'Sec-Fetch-Dest', 'script'];
const AWAITED: RawHeaders = [...ADDED, 'Priority', 'u=1'];
let nowMs: number;
let sites: LayoutSites;

beforeEach(() => {
  nowMs = 1;
  sites = new LayoutSites(TTL_MS, () => nowMs);
  sites.navigated(PAGE);
});

it('a script that nothing waits for, of a site that the page waits for nothing of, is beside the first screen', () => {
  expect(sites.isBeside(PAGE, COUNTER, ADDED)).toBe(true);
  expect(sites.isBeside(PAGE, COUNTER, AWAITED)).toBe(false);
  expect(sites.isBeside(PAGE, 'https://www2.page.test', ADDED)).toBe(false);
});

it.each([['a script that its parser waits for', AWAITED], ['a style sheet', [...CHROMIUM, 'Sec-Fetch-Dest', 'style']], ['a font', [...CHROMIUM, 'Sec-Fetch-Dest', 'font']]])('a site of which a page has %s makes the page', (_, headers) => {
  expect(sites.isBeside(PAGE, CDN, ADDED)).toBe(true);
  expect(sites.isBeside(PAGE, 'https://css.cdn.test', headers)).toBe(false);
  expect(sites.isBeside(PAGE, CDN, ADDED)).toBe(false);
});

it.each([
  ['an image', [...CHROMIUM, 'Sec-Fetch-Dest', 'image']],
  ['what scripts fetch', [...CHROMIUM, 'Sec-Fetch-Dest', 'empty']],
  ['what says nothing of its destination, as over http:', CHROMIUM],
  ['a script of a browser whose silence says nothing', ['Sec-Fetch-Dest', 'script']],
])('%s is judged by others, and tells nothing of its site', (_, headers) => {
  expect(sites.isBeside(PAGE, COUNTER, headers)).toBe(false);
  expect(sites.isBeside(PAGE, COUNTER, ADDED)).toBe(true);
});

it('of pages that are not known nothing is', () => {
  expect(sites.isBeside('https://frame.test', COUNTER, ADDED)).toBe(false);
  nowMs += TTL_MS + 1;
  expect(sites.isBeside(PAGE, COUNTER, ADDED)).toBe(false);
});
