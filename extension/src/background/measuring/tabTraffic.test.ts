import { beforeEach, expect, it, vi } from 'vitest';
import { TabTraffic } from './tabTraffic.ts';
import { FakeRequestEvent } from '../testing.ts';

const TAB = 5;

let events: Record<'onBeforeRequest' | 'onCompleted' | 'onErrorOccurred', FakeRequestEvent>;
let told: string[];
let traffic: TabTraffic;
beforeEach(() => {
  events = { onBeforeRequest: new FakeRequestEvent(), onCompleted: new FakeRequestEvent(), onErrorOccurred: new FakeRequestEvent() };
  vi.stubGlobal('chrome', { webRequest: events });
  told = [];
  traffic = new TabTraffic({ posted: () => told.push('posted'), failed: () => told.push('failed'), networkChanged: () => told.push('networkChanged') });
  traffic.watch(0);
  traffic.tabId = TAB;
  traffic.loadBegins();
});

function fire(name: keyof typeof events, timeStamp: number, details: object = {}): void {
  events[name].fire({ requestId: '1', url: 'https://a.test/a.jpg', tabId: TAB, type: 'image', method: 'GET', statusCode: 200, timeStamp, ...details });
}

it('is at rest a while after the last request has ended', () => {
  fire('onBeforeRequest', 1_000);
  expect(traffic.isAtRest(4_000)).toBe(false);
  fire('onCompleted', 5_000);
  expect([traffic.isAtRest(6_000), traffic.isAtRest(6_500)]).toEqual([false, true]);
});

it('does not wait for what is open for long: a stream, a question for news', () => {
  fire('onBeforeRequest', 0);
  expect([traffic.isAtRest(9_000), traffic.isAtRest(10_001)]).toEqual([false, true]);
});

it('counts the bytes of the tab, by the browser or by the server', () => {
  fire('onCompleted', 1, { responseHeaders: [{ name: 'Content-Length', value: '700' }] });
  fire('onCompleted', 2, { responseSize: 50, responseHeaders: [{ name: 'Content-Length', value: '7' }] });
  fire('onCompleted', 3, { responseHeaders: [{ name: 'content-length', value: 'many' }] });
  fire('onCompleted', 4, { tabId: 1, responseSize: 900 });
  expect(traffic.bytes).toBe(750);
  traffic.loadBegins();
  expect(traffic.bytes).toBe(0);
});

it('tells what of a load had come when its first screen was there: what that needed, and the rest', () => {
  const [page, style, other, late] = ['https://a.test/', 'https://a.test/a.css', 'https://b.test/b.jpg', 'https://b.test/c.jpg'];
  const came = (requestId: string, url: string, fromMs: number, toMs: number, responseSize: number, details: object = {}): void => {
    fire('onBeforeRequest', fromMs, { requestId, url, ...details });
    fire('onCompleted', toMs, { requestId, url, responseSize, ...details });
  };
  came('1', `${page}#top`, 1_000, 1_500, 0, { type: 'main_frame' });
  came('2', style, 1_500, 1_800, 6_000);
  came('3', other, 1_500, 3_500, 8_000);
  came('4', late, 5_000, 6_000, 9_000);
  came('5', other, 1_600, 1_601, 8_000, { fromCache: true });
  // half of the other one; of the document only the page knows the length
  expect(traffic.carriedUntil(1_500, [{ url: page, bytes: 2_000, isTimed: true }, { url: style, bytes: 0, isTimed: true }])).toEqual({ neededBytes: 8_000, otherBytes: 4_000 });
  traffic.loadBegins();
  expect(traffic.carriedUntil(1_500, [])).toEqual({ neededBytes: 0, otherBytes: 0 });
});

it('tells when the last of some objects had come, refused ones left out', () => {
  const came = (requestId: string, url: string, fromMs: number, toMs: number, details: object = {}): void => {
    fire('onBeforeRequest', fromMs, { requestId, url, ...details });
    fire('onCompleted', toMs, { requestId, url, ...details });
  };
  const [icons, mast, missing] = ['https://b.test/icons.png', 'https://b.test/mast.png', 'https://b.test/none.png'];
  expect(traffic.lastMs(new Set([icons]))).toBe(0);
  came('1', 'https://a.test/', 1_000, 1_500, { type: 'main_frame' });
  came('2', icons, 1_600, 3_800);
  came('3', mast, 1_600, 3_200);
  came('4', missing, 1_600, 9_000, { statusCode: 404 });
  expect([[icons, mast], [mast, missing], [missing]].map((urls) => traffic.lastMs(new Set(urls)))).toEqual([2_800, 2_200, 0]);
});

it.each<[string, number, boolean]>([['another tab', 1, true], ['no tab, as workers do', -1, false], ['its own tab', TAB, false]])('notices what %s asks for', (_, tabId, hadOthers) => {
  fire('onBeforeRequest', 1, { tabId });
  expect(traffic.hadOthers).toBe(hadOthers);
});

it.each<[string, keyof typeof events, object, string[]]>([
  ['a form that is sent', 'onBeforeRequest', { type: 'main_frame', method: 'POST' }, ['posted']],
  ['what a script of the page sends', 'onBeforeRequest', { type: 'xmlhttprequest', method: 'POST' }, []],
  ['a page that is not there', 'onCompleted', { type: 'main_frame', statusCode: 503 }, ['failed']],
  ['an image that is not there', 'onCompleted', { statusCode: 404 }, []],
  ['a page that does not come', 'onErrorOccurred', { type: 'main_frame', error: 'net::ERR_CONNECTION_RESET' }, ['failed']],
  ['a page that is replaced', 'onErrorOccurred', { type: 'main_frame', error: 'net::ERR_ABORTED' }, []],
  ['another network', 'onErrorOccurred', { error: 'net::ERR_NETWORK_CHANGED' }, ['networkChanged']],
  ['another network, of another tab', 'onErrorOccurred', { tabId: 1, error: 'net::ERR_NETWORK_CHANGED' }, []],
])('tells of %s or not', (_, name, details, expected) => {
  fire(name, 1, details);
  expect(told).toEqual(expected);
});

it('hears nothing when nothing is measured', () => {
  traffic.stop();
  expect(Object.values(events).map(({ isListened }) => isListened)).toEqual([false, false, false]);
});
