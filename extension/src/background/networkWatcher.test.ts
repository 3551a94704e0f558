import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LinkTraffic } from './linkTraffic.ts';
import { NetworkWatcher } from './networkWatcher.ts';
import { FakeRequestEvent } from './testing.ts';

const TAB = 3;
const OWN = 'http://own.test';
const OTHER = 'http://other.test';
const DOCUMENT = 'd';

/** `chrome.webRequest` as far as it is watched. */
class FakeWebRequest {
  readonly onBeforeSendHeaders = new FakeRequestEvent();
  readonly onBeforeRedirect = new FakeRequestEvent();
  readonly onResponseStarted = new FakeRequestEvent();
  readonly onCompleted = new FakeRequestEvent();
  readonly onErrorOccurred = new FakeRequestEvent();
  private timeStamp = 0;

  fire(name: Exclude<keyof FakeWebRequest, 'fire'>, requestId: string, url: string, details: object = {}): void {
    this.timeStamp += 10;
    this[name].fire({ requestId, url, tabId: TAB, frameId: 0, documentId: DOCUMENT, type: 'image', timeStamp: this.timeStamp, ...details });
  }
}

describe('NetworkWatcher', () => {
  const navigations: string[] = [];
  let changes: number;
  let web: FakeWebRequest;
  let traffic: LinkTraffic;
  let watcher: NetworkWatcher;
  let answers: number;
  let arrivals: number[];

  beforeEach(() => {
    navigations.length = 0;
    changes = 0;
    web = new FakeWebRequest();
    vi.stubGlobal('chrome', { webRequest: web });
    traffic = new LinkTraffic();
    const ignore = (): void => undefined;
    [answers, arrivals] = [0, []];
    watcher = new NetworkWatcher(traffic, {
      tabChanged: () => (changes += 1),
      answered: () => (answers += 1),
      arrived: (bytes) => arrivals.push(bytes),
      requested: ignore,
      fontAsked: () => undefined, navigated: (_, url) => navigations.push(url),
    });
    watcher.watch('all', 0);
  });

  const openTo = (origin: string): number => traffic.load(() => false, 1_000).openTo(origin);

  it.each(['released', 'passed'] as const)('counts an image that was %s at the origin that answers it, through its redirections', (how) => {
    if (how === 'released') traffic.released(DOCUMENT, TAB, `${OWN}/a.jpg`, 8_000, 0);
    else traffic.passed(DOCUMENT, 'r', TAB, `${OWN}/a.jpg`, 0);
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg#part`);
    expect([openTo(OWN), openTo(OTHER), changes]).toEqual([1, 0, 0]);
    web.fire('onBeforeSendHeaders', 'r', `${OTHER}/b.jpg`);
    expect([openTo(OWN), openTo(OTHER), changes]).toEqual([0, 1, 1]);
    web.fire('onResponseStarted', 'r', `${OTHER}/b.jpg`, { responseHeaders: [{ name: 'Content-Length', value: '5000' }] });
    web.fire('onCompleted', 'r', `${OTHER}/b.jpg`, { fromCache: false });
    expect([openTo(OWN), openTo(OTHER)]).toEqual([0, 0]);
  });

  it('learns from the first answer of an origin with TLS how long a connection takes', () => {
    const { connectMs } = traffic.estimate();
    const answer = (requestId: string, url: string): void => {
      web.fire('onBeforeSendHeaders', requestId, url);
      web.fire('onResponseStarted', requestId, url, { timeStamp: 5_000 });
    };
    answer('r', `${OWN}/a.jpg`);
    expect(traffic.estimate().connectMs).toBe(connectMs);
    answer('s', 'https://secure.test/a.jpg');
    expect(traffic.estimate().connectMs).toBeGreaterThan(3_000);
  });

  it('learns nothing of the link from what the helper itself answers', () => {
    const before = traffic.estimate();
    traffic.isCarried = (url) => url.startsWith(OWN);
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg`, { timeStamp: 5_000 });
    web.fire('onResponseStarted', 'r', `${OWN}/a.jpg`, { timeStamp: 5_002, responseHeaders: [{ name: 'Content-Length', value: '200000' }] });
    web.fire('onCompleted', 'r', `${OWN}/a.jpg`, { timeStamp: 5_003, fromCache: false });
    expect(traffic.estimate()).toEqual(before);
    web.fire('onBeforeSendHeaders', 's', `${OTHER}/a.jpg`, { timeStamp: 6_000 });
    web.fire('onResponseStarted', 's', `${OTHER}/a.jpg`, { timeStamp: 6_080 });
    expect(traffic.estimate().rttMs).toBeLessThan(before.rttMs);
  });

  it('stops counting what fails, and what is given up before it is on its way', () => {
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg`);
    web.fire('onErrorOccurred', 'r', `${OWN}/a.jpg`);
    traffic.passed(DOCUMENT, 's', TAB, `${OWN}/b.jpg`, 0);
    web.fire('onErrorOccurred', 's', `${OWN}/b.jpg`);
    expect(openTo(OWN)).toBe(0);
  });

  it('forgets what the tab was fetching when it goes to another page, and follows the redirections of a page', () => {
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg`);
    web.fire('onBeforeSendHeaders', 'm', `${OTHER}/`, { type: 'main_frame' });
    expect([openTo(OWN), openTo(OTHER)]).toEqual([0, 1]);
    web.fire('onBeforeSendHeaders', 'm', `${OWN}/index`, { type: 'main_frame' });
    expect([openTo(OWN), openTo(OTHER)]).toEqual([1, 0]);
    expect(navigations).toEqual([`${OTHER}/`, `${OWN}/index`]);
  });

  it('leaves what the tab is fetching alone when a page is prerendered in it', () => {
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg`);
    web.fire('onBeforeSendHeaders', 'm', `${OTHER}/`, { type: 'main_frame', frameId: 7, documentLifecycle: 'prerender' });
    expect([openTo(OWN), navigations]).toEqual([1, []]);
  });

  it('knows an image with srcset in Firefox (imageset) for an image', () => {
    traffic.released(DOCUMENT, TAB, `${OWN}/a.jpg`, 8_000, 0);
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg`, { type: 'imageset' });
    expect(openTo(OWN)).toBe(1);
  });

  it('leaves alone what belongs to no tab', () => {
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg`, { tabId: -1 });
    expect(openTo(OWN)).toBe(0);
  });

  describe('that watches less', () => {
    const startDocument = (): void => web.fire('onBeforeSendHeaders', 'd', `${OWN}/`, { type: 'main_frame' });
    const startImage = (): void => web.fire('onBeforeSendHeaders', 'i', `${OTHER}/a.jpg`);

    it('follows nothing that was on the way', () => {
      startImage();
      watcher.watch('layoutFiles', 1_000);
      expect(openTo(OTHER)).toBe(0);
      watcher.watch('all', 1_000);
      web.fire('onResponseStarted', 'i', `${OTHER}/a.jpg`);
      web.fire('onCompleted', 'i', `${OTHER}/a.jpg`);
      expect(answers).toBe(0);
    });

    it('follows layout files alone, for what they tell of the link', () => {
      watcher.watch('layoutFiles', 0);
      startDocument();
      startImage();
      web.fire('onResponseStarted', 'd', `${OWN}/`, { type: 'main_frame' });
      expect([openTo(OWN), openTo(OTHER), answers]).toEqual([1, 0, 1]);
      expect(navigations).toEqual([`${OWN}/`]);
    });

    it('follows nothing at all', () => {
      watcher.watch('nothing', 0);
      startDocument();
      expect([openTo(OWN), navigations]).toEqual([0, []]);
    });

    it('follows everything again', () => {
      watcher.watch('nothing', 0);
      watcher.watch('all', 0);
      startImage();
      expect(openTo(OTHER)).toBe(1);
    });
  });

  it('tells how much has come over the network: nothing of the cache, and also what the helper carries', () => {
    traffic.isCarried = (url) => url.startsWith(OTHER);
    for (const [id, origin, fromCache] of [['a', OWN, true], ['b', OWN, false], ['c', OTHER, false]] as const) {
      web.fire('onBeforeSendHeaders', id, `${origin}/a.jpg`);
      web.fire('onResponseStarted', id, `${origin}/a.jpg`, { fromCache, responseHeaders: [{ name: 'Content-Length', value: '5000' }] });
      web.fire('onCompleted', id, `${origin}/a.jpg`, { fromCache });
    }
    expect(arrivals).toEqual([5_000, 5_000]);
  });

  it('takes no round trip from what came out of the cache', () => {
    const before = traffic.estimate().rttMs;
    for (const fromCache of [true, false]) {
      web.fire('onBeforeSendHeaders', 'd', `${OWN}/`, { type: 'main_frame' });
      web.fire('onResponseStarted', 'd', `${OWN}/`, { fromCache });
      expect(traffic.estimate().rttMs === before).toBe(fromCache);
    }
  });
});
