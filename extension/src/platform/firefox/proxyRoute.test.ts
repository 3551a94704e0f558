import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProxyPlan } from '../../proxy/pac.ts';
import { fakeStorage } from '../../settings/testing.ts';
import type { ProxyRoute } from '../proxyRoute.ts';
import { createProxyRoute } from './proxyRoute.ts';

const PLAN: ProxyPlan = { port: 4711, ownHost: 'own.invalid', username: 'u', password: 'p', leftHosts: ['left.test'], offHosts: ['off.test'] };
const BY_HELPER = [{ type: 'http', host: '127.0.0.1', port: 4711 }, { type: 'direct' }];
/** A tab. */
const WITHOUT = 7;
const CHALLENGE = { isProxy: true, challenger: { host: '127.0.0.1', port: 4711 } };

type Answer = (details: object, respond: (response: object) => void) => void;

/** One event of the browser. */
class FakeEvent<Listener> {
  listener: Listener | null = null;
  readonly addListener = (listener: Listener): void => void (this.listener = listener);
  readonly removeListener = (): void => void (this.listener = null);
  readonly hasListener = (listener: Listener): boolean => this.listener === listener;
}

describe('Firefox route', () => {
  let requests: FakeEvent<FirefoxRouteListener>;
  let challenges: FakeEvent<Answer>;
  let proxyType: string;
  let levelOfControl: string;
  let os: string;
  let route: ProxyRoute;
  /** How often others have come or gone. */
  let changes: number;
  /** What would be kept in the profile, and be there after a crash. */
  let stored: object[];

  beforeEach(() => {
    requests = new FakeEvent();
    challenges = new FakeEvent();
    proxyType = 'system';
    levelOfControl = 'controllable_by_this_extension';
    [stored, os, changes] = [[], 'linux', 0];
    vi.stubGlobal('browser', { proxy: { onRequest: requests, settings: { set: (value: object) => void stored.push(value), get: () => Promise.resolve({ levelOfControl, value: { proxyType } }) } } });
    vi.stubGlobal('chrome', { runtime: { getPlatformInfo: () => Promise.resolve({ os }) }, webRequest: { onAuthRequired: challenges }, storage: { session: fakeStorage() } });
    vi.stubGlobal('fetch', () => Promise.resolve());
    route = createProxyRoute((tabId) => tabId === WITHOUT, () => (changes += 1));
  });

  function wayOf(url: string, type = 'image', cookieStoreId = 'firefox-default', details: Partial<FirefoxProxyRequest> = {}): unknown {
    return requests.listener?.({ requestId: '1', url, tabId: 1, frameId: 0, type, cookieStoreId, ...details });
  }

  function answerTo(challenge: object): object | undefined {
    const respond = vi.fn<(response: object) => void>();
    challenges.listener?.(challenge, respond);
    return respond.mock.lastCall?.[0];
  }

  it('listens to nothing without a plan, or Firefox would wake the event page for every request', async () => {
    expect([requests.listener, challenges.listener]).toEqual([null, null]);
    await route.set(PLAN);
    await route.set(null);
    expect([requests.listener, challenges.listener]).toEqual([null, null]);
  });

  it('sends no page to the helper before the browser has answered its challenge, once for each helper', async () => {
    const seen: unknown[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      seen.push([new URL(url).hostname, wayOf(url), wayOf('https://a.test/x')]);
      return Promise.resolve();
    });
    await route.set(PLAN);
    await route.set({ ...PLAN, leftHosts: ['b.test'] });
    expect(seen).toEqual([['own.invalid', BY_HELPER, undefined]]);
    expect(wayOf('https://a.test/x')).toEqual(BY_HELPER);
  });

  it('leaves containers alone: the helper could not tell their cookies and pages apart', async () => {
    await route.set(PLAN);
    expect([wayOf('https://a.test/x', 'image', 'firefox-container-1'), wayOf('https://a.test/', 'main_frame', 'firefox-container-1')]).toEqual([undefined, undefined]);
  });

  it('leaves nothing behind in the profile that a browser could follow after a crash: what goes where is asked of a listener', async () => {
    await route.set(PLAN);
    expect(wayOf('https://a.test/x')).toEqual(BY_HELPER);
    expect(stored).toEqual([]);
    // a new process, whose helper has not been asked for
    requests.listener = null;
    createProxyRoute((tabId) => tabId === WITHOUT, () => (changes += 1));
    expect(wayOf('https://a.test/x')).toBeUndefined();
  });

  it('sends by the helper, and directly when there is none, what is neither near nor left', async () => {
    expect(await route.set(PLAN)).toBe(true);
    expect(wayOf('https://a.test/x')).toEqual(BY_HELPER);
    expect(await wayOf('https://a.test/', 'main_frame')).toEqual(BY_HELPER);
    for (const url of ['http://localhost/', 'http://192.168.1.1/', 'http://[::1]:80/', 'http://left.test/']) expect(wayOf(url), url).toBeUndefined();
  });

  it('leaves all that a page asks for whose site is off to the browser, and what other pages ask of that site, until the plan is another one', async () => {
    await route.set(PLAN);
    const inPage = (page: string, url = 'https://cdn.test/a.png'): unknown => wayOf(url, 'image', undefined, { documentUrl: page });
    const inFrame = (page: string): unknown => wayOf('https://cdn.test/a.png', 'image', undefined, { frameId: 3, documentUrl: 'https://ads.test/', frameAncestors: [{ url: page, frameId: 0 }] });
    expect([await wayOf('https://www.off.test/', 'main_frame'), inPage('https://www.off.test/'), inFrame('https://off.test/'), inPage('https://a.test/', 'https://off.test/a.png')]).toEqual([undefined, undefined, undefined, undefined]);
    expect([inPage('https://takeoff.test/'), inFrame('https://a.test/'), inPage('about:blank')]).toEqual([BY_HELPER, BY_HELPER, BY_HELPER]);
    await route.set({ ...PLAN, offHosts: [] });
    expect([inPage('https://www.off.test/'), await wayOf('https://www.off.test/', 'main_frame')]).toEqual([BY_HELPER, BY_HELPER]);
  });

  it('leaves what a tab asks for that is loaded without Firstscreen to the browser, and nothing of other tabs', async () => {
    await route.set(PLAN);
    const inTab = (tabId: number, type: string): unknown => wayOf('https://a.test/', type, undefined, { tabId });
    expect([inTab(WITHOUT, 'main_frame'), inTab(WITHOUT, 'image'), await inTab(1, 'main_frame'), inTab(1, 'image')]).toEqual([undefined, undefined, BY_HELPER, BY_HELPER]);
  });

  it('goes by the last plan', async () => {
    await route.set(PLAN);
    await route.set({ ...PLAN, leftHosts: ['a.test'] });
    expect([wayOf('http://a.test/'), wayOf('http://left.test/')]).toEqual([undefined, BY_HELPER]);
  });

  it.each([
    ['system', 'controllable_by_this_extension', true],
    ['none', 'controllable_by_this_extension', true],
    ['manual', 'controllable_by_this_extension', false],
    ['autoConfig', 'controllable_by_this_extension', false],
    ['system', 'controlled_by_other_extensions', false],
    ['none', 'not_controllable', false],
  ])('is ours with proxy type %s that is %s: %s', async (type, level, expected) => {
    [proxyType, levelOfControl] = [type, level];
    expect(await route.isOurs()).toBe(expected);
  });

  it('gives way from the next page on when the user sets a proxy, and comes back when he takes it away', async () => {
    await route.set(PLAN);
    proxyType = 'manual';
    expect(await wayOf('http://a.test/', 'main_frame')).toBeUndefined();
    expect([wayOf('http://a.test/'), changes]).toEqual([undefined, 1]);
    proxyType = 'none';
    expect(await wayOf('http://a.test/', 'main_frame')).toEqual(BY_HELPER);
    expect([wayOf('http://a.test/'), changes]).toEqual([BY_HELPER, 2]);
  });

  it('answers the challenge of the helper, and lets all others pass unanswered', async () => {
    await route.set(PLAN);
    expect(answerTo(CHALLENGE)).toEqual({ authCredentials: { username: 'u', password: 'p' } });
    for (const other of [{ ...CHALLENGE, isProxy: false }, { ...CHALLENGE, challenger: { host: '127.0.0.1', port: 4712 } }, { ...CHALLENGE, challenger: { host: 'a.test', port: 4711 } }]) expect(answerTo(other)).toEqual({});
  });

  describe('by a relay', () => {
    const RELAYED: ProxyPlan = { ...PLAN, relayHost: 'relay.test', port: 8443 };
    const HTTPS = { type: 'https', host: 'relay.test', port: 8443, proxyAuthorizationHeader: `Basic ${btoa('u:p')}`, failoverTimeout: 30 };
    const RELAY_CHALLENGE = { isProxy: true, requestId: '7', challenger: { host: 'relay.test', port: 8443 } };
    beforeEach(() => void vi.stubGlobal('fetch', () => Promise.resolve({ status: 204 })));

    it('goes for encrypted requests alone, directly when it does not answer, with its token from the first request on', async () => {
      expect(await route.set(RELAYED)).toBe(true);
      expect([wayOf('https://a.test/x'), await wayOf('https://a.test/', 'main_frame')]).toEqual([[HTTPS, { type: 'direct' }], [HTTPS, { type: 'direct' }]]);
      for (const url of ['http://a.test/', 'https://192.168.1.1/', 'https://left.test/', 'https://www.off.test/']) expect(wayOf(url), url).toBeUndefined();
    });

    it.each([407, 502])('does not go where it answers otherwise: %i', async (status) => {
      vi.stubGlobal('fetch', () => Promise.resolve({ status }));
      expect(await route.set(RELAYED)).toBe(false);
      expect(requests.listener).toBeNull();
    });

    it('asks the relay itself whether it is there, with the token', async () => {
      const asked: unknown[] = [];
      vi.stubGlobal('fetch', (url: string, { headers }: RequestInit) => {
        asked.push([url, headers]);
        return Promise.resolve({ status: 204 });
      });
      await route.set(RELAYED);
      expect([await route.isRelayThere(1), asked[0]]).toEqual([true, ['https://relay.test:8443/', { authorization: `Basic ${btoa('u:p')}` }]]);
      await route.set(null);
      expect(await route.isRelayThere(1)).toBe(false);
    });

    it('goes at once in an event page that was started anew, for ten minutes, and asks nobody', async () => {
      await route.set(RELAYED);
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('nobody')));
      expect([await createProxyRoute(() => false, () => undefined).set(RELAYED), wayOf('https://a.test/x')]).toEqual([true, [HTTPS, { type: 'direct' }]]);
      vi.setSystemTime(Date.now() + 600_001);
      expect(await createProxyRoute(() => false, () => undefined).set(RELAYED)).toBe(false);
      vi.useRealTimers();
    });

    it('sends no page before the relay has said that it is there', async () => {
      let seen: unknown = 'nothing';
      vi.stubGlobal('fetch', () => {
        seen = wayOf('https://a.test/x');
        return Promise.resolve({ status: 204 });
      });
      await route.set(RELAYED);
      expect(seen).toBeUndefined();
    });

    it('gives a token that is not taken once for a request, and never has the user asked for it', async () => {
      await route.set(RELAYED);
      expect([answerTo(RELAY_CHALLENGE), answerTo(RELAY_CHALLENGE), answerTo({ ...RELAY_CHALLENGE, requestId: '8' })]).toEqual([{ authCredentials: { username: 'u', password: 'p' } }, { cancel: true }, { authCredentials: { username: 'u', password: 'p' } }]);
    });

    it('goes on Android, where Firefox throws when its settings of a proxy are read', async () => {
      os = 'android';
      vi.stubGlobal('browser', { proxy: { onRequest: requests, settings: { get: () => Promise.reject(new Error('proxy.settings is not supported on android.')) } } });
      route = createProxyRoute(() => false, () => undefined);
      expect([await route.isOurs(), await route.set(RELAYED), await wayOf('https://a.test/', 'main_frame')]).toEqual([true, true, [HTTPS, { type: 'direct' }]]);
    });
  });
});
