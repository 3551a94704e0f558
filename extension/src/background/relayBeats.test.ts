import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RelayBeats } from './relayBeats.ts';
import { FakeRequestEvent } from './testing.ts';

const URL_A = 'https://a.test/x';

let events: { onBeforeRequest: FakeRequestEvent; onResponseStarted: FakeRequestEvent; onErrorOccurred: FakeRequestEvent };
/** What was done, in order. */
let done: unknown[];
/** Whether the relay answers. */
let isThere: () => boolean;
/** Tabs of private windows. */
let privateTabs: Set<number>;
let beats: RelayBeats;

beforeEach(() => {
  vi.useFakeTimers();
  events = { onBeforeRequest: new FakeRequestEvent(), onResponseStarted: new FakeRequestEvent(), onErrorOccurred: new FakeRequestEvent() };
  done = [];
  isThere = () => true;
  privateTabs = new Set();
  vi.stubGlobal('chrome', { webRequest: events, tabs: { update: (...args: unknown[]) => { done.push(args); return Promise.resolve(); } } });
  beats = new RelayBeats({ isThere: () => { done.push('asked'); return Promise.resolve(isThere()); }, goesByRelay: (tabId) => Promise.resolve(!privateTabs.has(tabId)), lost: () => { done.push('lost'); return Promise.resolve(); }, leave: (host) => { done.push(host); return Promise.resolve(true); }, now: () => Date.now() });
  beats.watch(true);
});
afterEach(() => vi.useRealTimers());

const begin = (requestId: string, method = 'GET', url = URL_A, details: object = {}): void => events.onBeforeRequest.fire({ type: 'main_frame', requestId, tabId: 3, url, method, documentLifecycle: 'active', ...details });
const answer = (requestId: string): void => events.onResponseStarted.fire({ type: 'main_frame', requestId, tabId: 3, url: URL_A, fromCache: false });
const fail = (requestId: string, error: string, type = 'main_frame', url = URL_A, tabId = 3): void => events.onErrorOccurred.fire({ type, requestId, tabId, url, error });
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe('a relay', () => {
  it('is asked when a page begins, but not where it has answered lately', async () => {
    begin('1');
    await settle();
    expect(done).toEqual([]);
    answer('1');
    await vi.advanceTimersByTimeAsync(11_000);
    begin('2');
    await settle();
    begin('3');
    await settle();
    answer('3');
    expect(done).toEqual(['asked']);
  });

  it('is asked when a page waits, though it has answered lately', async () => {
    begin('1');
    answer('1');
    isThere = () => false;
    begin('2');
    await vi.advanceTimersByTimeAsync(1_400);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(done).toEqual(['asked', 'lost', [3, { url: URL_A }]]);
  });

  it('that is gone is given up, and a page that waits for it is asked for directly, once, if it is safe', async () => {
    await vi.advanceTimersByTimeAsync(11_000);
    isThere = () => false;
    begin('1');
    begin('2', 'POST', 'https://b.test/', { tabId: 4 });
    await settle();
    expect(done).toEqual(['asked', 'lost', [3, { url: URL_A }]]);
    begin('4');
    await settle();
    expect(done.slice(3)).toEqual(['asked', 'lost']);
  });

  it('is there where a page comes while it is asked', async () => {
    await vi.advanceTimersByTimeAsync(11_000);
    isThere = () => {
      answer('1');
      return false;
    };
    begin('1');
    await settle();
    expect(done).toEqual(['asked']);
  });

  it.each(['net::ERR_TUNNEL_CONNECTION_FAILED', 'NS_ERROR_PROXY_BAD_GATEWAY'])('that can not reach a host (%s) is not used for it, and its page is asked for directly once', async (error) => {
    begin('1');
    fail('1', error);
    await settle();
    expect(done).toEqual(['a.test', 'asked', [3, { url: URL_A }]]);
    begin('2');
    fail('2', error);
    await settle();
    expect(done.slice(3)).toEqual(['a.test', 'asked']);
  });

  it('that can not reach the host of an image is not used for it, and nothing is loaded anew; other errors are the page\'s own', async () => {
    fail('9', 'net::ERR_TUNNEL_CONNECTION_FAILED', 'image', 'https://cdn.test/a.png');
    fail('8', 'net::ERR_NAME_NOT_RESOLVED', 'image');
    begin('7');
    fail('7', 'net::ERR_ABORTED');
    await settle();
    expect(done).toEqual(['cdn.test', 'asked']);
  });

  it('that is gone when a page fails, whatever the browser calls that, is given up, and the page is asked for directly', async () => {
    begin('1');
    isThere = () => false;
    fail('1', 'NS_ERROR_ABORT');
    await settle();
    expect(done).toEqual(['asked', 'lost', [3, { url: URL_A }]]);
  });

  it.each(['https://b.test/', 'http://b.test/'])('that is gone leads nobody back who has gone elsewhere meanwhile: %s', async (elsewhere) => {
    begin('1');
    isThere = () => false;
    fail('1', 'NS_ERROR_NET_TIMEOUT');
    begin('2', 'POST', elsewhere);
    await settle();
    expect(done).toEqual(['asked', 'lost']);
  });

  it('that can not reach the host of a page that is prerendered leads nobody there', async () => {
    begin('1');
    begin('2', 'GET', 'https://b.test/', { documentLifecycle: 'prerender' });
    fail('2', 'net::ERR_TUNNEL_CONNECTION_FAILED', 'main_frame', 'https://b.test/');
    await settle();
    expect(done).toEqual(['b.test', 'asked']);
  });

  it('learns nothing of a private window, whose page is its own whatever becomes of the relay', async () => {
    privateTabs.add(3);
    begin('1');
    fail('1', 'net::ERR_TUNNEL_CONNECTION_FAILED');
    await settle();
    expect(done).toEqual([]);
    isThere = () => false;
    begin('2');
    fail('2', 'net::ERR_NAME_NOT_RESOLVED');
    await settle();
    expect(done).toEqual(['asked', 'lost']);
  });

  it('that can not reach a host for a worker, of which no tab is told, is not used for it', async () => {
    fail('9', 'net::ERR_TUNNEL_CONNECTION_FAILED', 'xmlhttprequest', URL_A, -1);
    await settle();
    expect(done).toEqual(['a.test', 'asked']);
  });

  it('is not asked for a page that it was redirected from, to an address that does not go by it', async () => {
    begin('1');
    begin('1', 'GET', 'http://b.test/');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(done).toEqual([]);
  });

  it('that is not used is not watched', () => {
    beats.watch(false);
    expect(Object.values(events).map(({ isListened }) => isListened)).toEqual([false, false, false]);
  });
});
