import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LinkTraffic } from './linkTraffic.ts';
import { NetworkWatcher } from './networkWatcher.ts';

const TAB = 3;
const OWN = 'http://own.test';
const OTHER = 'http://other.test';
const DOCUMENT = 'd';

type EventName = 'onBeforeSendHeaders' | 'onResponseStarted' | 'onCompleted' | 'onErrorOccurred';
type Listener = (details: object) => void;

/** `chrome.webRequest` as far as it is watched. */
class FakeWebRequest {
  private readonly listeners = new Map<string, Listener>();
  private timeStamp = 0;

  install(): void {
    const names: EventName[] = ['onBeforeSendHeaders', 'onResponseStarted', 'onCompleted', 'onErrorOccurred'];
    vi.stubGlobal('chrome', { webRequest: Object.fromEntries(names.map((name) => [name, { addListener: (listener: Listener) => this.listeners.set(name, listener) }])) });
  }

  fire(name: EventName, requestId: string, url: string, details: object = {}): void {
    this.timeStamp += 10;
    this.listeners.get(name)?.({ requestId, url, tabId: TAB, frameId: 0, documentId: DOCUMENT, type: 'image', timeStamp: this.timeStamp, ...details });
  }
}

describe('NetworkWatcher', () => {
  const ended: string[] = [];
  const navigations: string[] = [];
  let changes: number;
  let web: FakeWebRequest;
  let traffic: LinkTraffic;

  beforeEach(() => {
    ended.length = 0;
    navigations.length = 0;
    changes = 0;
    web = new FakeWebRequest();
    web.install();
    traffic = new LinkTraffic({ releasesAreAlike: true });
    const ignore = (): void => undefined;
    new NetworkWatcher(traffic, {
      imageEnded: (_, url) => ended.push(url),
      tabChanged: () => (changes += 1),
      requested: ignore,
      imageRequested: ignore,
      navigated: (_, url) => navigations.push(url),
    }).listen();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const openTo = (origin: string): number => traffic.origins(1_000).openTo(origin);

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
    expect(ended, 'known by what the page asked for').toEqual([`${OWN}/a.jpg`]);
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

  it('leaves alone what belongs to no tab', () => {
    web.fire('onBeforeSendHeaders', 'r', `${OWN}/a.jpg`, { tabId: -1 });
    expect(openTo(OWN)).toBe(0);
  });
});
