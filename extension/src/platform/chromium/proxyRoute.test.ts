import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRequestEvent } from '../../background/testing.ts';
import type { ProxyPlan } from '../../proxy/pac.ts';
import { fakeStorage } from '../../settings/testing.ts';
import type { ProxyRoute } from '../proxyRoute.ts';
import { createProxyRoute } from './proxyRoute.ts';

const PLAN: ProxyPlan = { port: 4711, ownHost: 'own.invalid', username: 'u', password: 'p', leftHosts: [], offHosts: [] };
const BY_HELPER = 'PROXY 127.0.0.1:4711; DIRECT';

/** As much of Chromium as decides where a request goes: the script that is in force, with its variables. */
class FakeChromium {
  levelOfControl = 'controllable_by_this_extension';
  mode = 'system';
  private findProxyForURL: ((url: string, host: string) => string) | null = null;
  private script = '';
  private readonly navigations = new FakeRequestEvent();
  private readonly requests = new FakeRequestEvent();
  private readonly answers = new FakeRequestEvent();
  private readonly failures = new FakeRequestEvent();
  /** Scripts that were set. */
  scripts = 0;
  /** Changes of listeners and rules, each of which empties what pages keep in memory. */
  emptied = 0;
  private tellSetting = (_: object): void => undefined;

  readonly proxy = {
    settings: {
      get: () => Promise.resolve({ levelOfControl: this.levelOfControl, value: { mode: this.mode } }),
      onChange: { addListener: (listener: (setting: object) => void) => (this.tellSetting = listener) },
      set: ({ value }: { value: { pacScript: { data: string } } }) => {
        this.script = value.pacScript.data;
        this.scripts += 1;
        this.loadScript();
        return Promise.resolve();
      },
      clear: () => {
        this.findProxyForURL = null;
        return Promise.resolve();
      },
    },
  };
  /** Session rules that are in force. */
  rules: { readonly id: number; readonly condition: { readonly urlFilter?: string; readonly requestDomains?: readonly string[] } }[] = [];
  readonly declarativeNetRequest = {
    getSessionRules: () => Promise.resolve(this.rules),
    updateSessionRules: ({ removeRuleIds, addRules }: { removeRuleIds: readonly number[]; addRules: FakeChromium['rules'] }) => {
      this.emptied += 1;
      this.rules = [...this.rules.filter(({ id }) => !removeRuleIds.includes(id)), ...addRules];
      return Promise.resolve();
    },
  };
  readonly storage = { session: fakeStorage() };
  readonly webRequest = {
    onAuthRequired: { addListener: () => undefined, removeListener: () => undefined, hasListener: () => false },
    onBeforeRequest: {
      addListener: (...[listener, filter]: Parameters<FakeRequestEvent['addListener']>) => {
        this.emptied += 1;
        return (filter.types === undefined ? this.requests : this.navigations).addListener(listener, filter);
      },
      removeListener: (listener: Parameters<FakeRequestEvent['addListener']>[0]) => {
        this.emptied += 1;
        [this.requests, this.navigations].forEach((event) => event.removeListener(listener));
      },
      hasListener: (listener: Parameters<FakeRequestEvent['addListener']>[0]) => this.navigations.hasListener(listener),
    },
    onBeforeRedirect: new FakeRequestEvent(),
    onResponseStarted: this.answers,
    onCompleted: new FakeRequestEvent(),
    onErrorOccurred: this.failures,
  };

  /** At the start of a browser that has kept the script, and when the network changes. */
  loadScript(): void {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- as the browser does
    this.findProxyForURL = (new Function(`${this.script}; return FindProxyForURL`) as () => (url: string, host: string) => string)();
  }

  /** Somebody has set it. */
  control(levelOfControl: string, mode: string, details: object = {}): void {
    Object.assign(this, { levelOfControl, mode });
    this.tellSetting({ levelOfControl, value: { mode }, ...details });
  }

  navigate(): void {
    this.navigations.fire({ url: 'http://a.test/', type: 'main_frame', requestId: '1' });
  }

  begin(url: string, requestId: string): void {
    this.requests.fire({ url, requestId });
  }

  answer(url: string, requestId: string): void {
    this.answers.fire({ url, requestId });
  }

  fail(url: string, requestId: string): void {
    this.failures.fire({ url, requestId });
  }

  wayTo(host: string, url = `http://${host}/`): string {
    return this.findProxyForURL?.(url, host) ?? 'DIRECT';
  }

  readonly fetch = (url: string): Promise<never> => {
    this.wayTo(new URL(url).hostname);
    return Promise.reject(new TypeError('nobody is there'));
  };
}

describe('Chromium route', () => {
  let browser: FakeChromium;
  let route: ProxyRoute;
  /** How often others have come or gone. */
  let changes: number;
  beforeEach(() => {
    changes = 0;
    browser = new FakeChromium();
    vi.stubGlobal('chrome', browser);
    vi.stubGlobal('fetch', browser.fetch);
    route = createProxyRoute(() => false, () => (changes += 1));
  });

  it('goes by the helper from when it is set until it is taken back', async () => {
    expect(await route.set(PLAN)).toBe(true);
    expect(browser.wayTo('a.test')).toBe(BY_HELPER);
    expect(await route.set({ ...PLAN, leftHosts: ['a.test'] })).toBe(true);
    expect([browser.wayTo('a.test'), browser.wayTo('b.test')]).toEqual(['DIRECT', BY_HELPER]);
    expect(await route.set(null)).toBe(true);
    expect(browser.wayTo('b.test')).toBe('DIRECT');
  });

  it('leaves hosts of sites that are off to the browser, unmarked, until the plan is another one', async () => {
    await route.set(PLAN);
    const near = browser.rules.length;
    await route.set({ ...PLAN, offHosts: ['off.test'] });
    expect([browser.wayTo('off.test'), browser.wayTo('www.off.test'), browser.wayTo('a.test')]).toEqual(['DIRECT', 'DIRECT', BY_HELPER]);
    expect(browser.rules.slice(near).map(({ condition }) => condition.requestDomains)).toEqual([['off.test']]);
    await route.set(PLAN);
    expect([browser.wayTo('off.test'), browser.rules.length]).toEqual([BY_HELPER, near]);
  });

  it('sends no page to the helper before the browser has answered its challenge, once for each helper', async () => {
    const asked: [string, string][] = [];
    vi.stubGlobal('fetch', (url: string) => {
      asked.push([new URL(url).hostname, browser.wayTo('a.test')]);
      return browser.fetch(url);
    });
    await route.set(PLAN);
    await route.set({ ...PLAN, leftHosts: ['b.test'] });
    expect(asked.filter(([host]) => host === 'own.invalid')).toEqual([['own.invalid', 'DIRECT']]);
    expect(asked[0]?.[0]).toBe('own.invalid');
    expect(browser.wayTo('a.test')).toBe(BY_HELPER);
  });

  it('goes on by the helper at once when the script is set anew', async () => {
    await route.set(PLAN);
    const ways: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      ways.push(browser.wayTo('a.test'));
      return browser.fetch(url);
    });
    await route.set({ ...PLAN, leftHosts: ['b.test'] });
    expect(ways).toEqual([BY_HELPER]);
    await route.set({ ...PLAN, port: 4712 });
    expect(ways.slice(1)).toEqual(['DIRECT', 'DIRECT']);
  });

  it('marks pages that the helper carries as public, but not those of hosts that are left, and none without a plan', async () => {
    await route.set(PLAN);
    const near = browser.rules.length;
    await route.set({ ...PLAN, leftHosts: ['a.test'] });
    expect(browser.rules.slice(near).map(({ condition }) => condition.urlFilter)).toEqual(['|http://a.test^', '|https://a.test^']);
    await route.set(null);
    expect(browser.rules).toEqual([]);
  });

  it('changes no listener and no rule where its script is set anew and leaves the same hosts', async () => {
    await route.set(PLAN);
    const before = browser.emptied;
    expect(await route.set({ ...PLAN, port: 4712 })).toBe(true);
    browser.loadScript();
    browser.navigate();
    expect([browser.wayTo('a.test'), browser.emptied]).toEqual(['PROXY 127.0.0.1:4712; DIRECT', before]);
  });

  it('a browser that has kept the script goes by itself', async () => {
    await route.set(PLAN);
    browser.loadScript();
    expect(browser.wayTo('a.test')).toBe('DIRECT');
  });

  it('goes by the helper again after a change of the network, from the next page on', async () => {
    await route.set(PLAN);
    browser.loadScript();
    browser.navigate();
    expect(browser.wayTo('a.test')).toBe(BY_HELPER);
    await route.set(null);
    browser.navigate();
    expect(browser.wayTo('a.test')).toBe('DIRECT');
  });

  it('sets the script anew when a request that was under way to a host that is left has gone on by itself, and for no other', async () => {
    await route.set(PLAN);
    await route.set({ ...PLAN, leftHosts: ['a.test'] });
    expect(browser.scripts).toBe(2);
    browser.begin('https://a.test/later', '8');
    browser.answer('https://a.test/later', '8');
    browser.answer('https://b.test/', '6');
    expect(browser.scripts).toBe(2);
    browser.answer('https://a.test/', '7');
    await expect.poll(() => browser.scripts).toBe(3);
    await expect.poll(() => browser.wayTo('b.test')).toBe(BY_HELPER);
    expect(browser.wayTo('a.test')).toBe('DIRECT');
    await route.set(null);
    browser.answer('https://a.test/', '9');
    expect([browser.scripts, browser.wayTo('b.test')]).toEqual([3, 'DIRECT']);
  });

  it('sets it anew once, though pages end requests in the middle of their answers', async () => {
    await route.set(PLAN);
    await route.set({ ...PLAN, leftHosts: ['a.test'] });
    browser.begin('https://a.test/film', '8');
    for (const requestId of ['8', '7']) {
      browser.answer('https://a.test/film', requestId);
      browser.fail('https://a.test/film', requestId);
    }
    // comes after what they have led to
    await route.set({ ...PLAN, leftHosts: ['a.test', 'b.test'] });
    expect(browser.scripts).toBe(4);
  });

  it('is taken back for good, though the script was just being set anew', async () => {
    await route.set({ ...PLAN, leftHosts: ['a.test'] });
    const { updateSessionRules } = browser.declarativeNetRequest;
    const slow = Promise.withResolvers<undefined>();
    browser.declarativeNetRequest.updateSessionRules = (rules) => slow.promise.then(() => updateSessionRules(rules));
    browser.answer('https://a.test/', '7');
    const taken = route.set(null);
    await new Promise(setImmediate);
    slow.resolve(undefined);
    await taken;
    await new Promise(setImmediate);
    expect([browser.wayTo('b.test'), browser.rules]).toEqual(['DIRECT', []]);
  });

  it.each([
    ['system', 'controllable_by_this_extension', true],
    ['direct', 'controllable_by_this_extension', true],
    ['auto_detect', 'controllable_by_this_extension', false],
    ['pac_script', 'controllable_by_this_extension', false],
    ['fixed_servers', 'controllable_by_this_extension', false],
    ['pac_script', 'controlled_by_this_extension', true],
    ['system', 'controlled_by_other_extensions', false],
    ['system', 'not_controllable', false],
  ])('with %s, %s: may say where requests go: %s', async (mode, levelOfControl, isOurs) => {
    Object.assign(browser, { mode, levelOfControl });
    expect(await route.isOurs()).toBe(isOurs);
  });

  it('tells when somebody else comes to say where requests go, and when he is gone, but not of itself or of private windows', async () => {
    await route.set(PLAN);
    browser.control('controlled_by_this_extension', 'pac_script');
    browser.control('controlled_by_other_extensions', 'fixed_servers', { incognitoSpecific: true });
    expect(changes).toBe(0);
    browser.control('controlled_by_other_extensions', 'fixed_servers');
    expect([changes, await route.isOurs()]).toEqual([1, false]);
    browser.control('controlled_by_this_extension', 'pac_script');
    expect([changes, await route.isOurs()]).toEqual([2, true]);
  });

  it('tells when the browser refuses', async () => {
    browser.proxy.settings.set = () => Promise.reject(new Error('not controllable'));
    expect(await route.set(PLAN)).toBe(false);
  });

  describe('by a relay', () => {
    const RELAYED: ProxyPlan = { ...PLAN, relayHost: 'relay.test', port: 8443 };
    const BY_RELAY = 'HTTPS relay.test:8443; DIRECT';
    const wayTo = (url: string): string => browser.wayTo(new URL(url).hostname, url);
    const answerWith = (status: number): void => void vi.stubGlobal('fetch', (url: string) => {
      browser.wayTo(new URL(url).hostname);
      return url.includes('own.invalid') ? Promise.resolve({ status }) : Promise.reject(new TypeError('nobody is there'));
    });

    it('goes once it has said that it is there, for encrypted requests, and pages are not marked', async () => {
      answerWith(204);
      expect(await route.set(RELAYED)).toBe(true);
      expect([wayTo('https://a.test/'), wayTo('http://a.test/'), browser.rules]).toEqual([BY_RELAY, 'DIRECT', []]);
    });

    it('goes on at once when another background script sets it, and asks nobody', async () => {
      answerWith(204);
      await route.set(RELAYED);
      const ways: string[] = [];
      vi.stubGlobal('fetch', () => {
        ways.push(wayTo('https://a.test/'));
        return Promise.reject(new TypeError('nobody is there'));
      });
      expect(await createProxyRoute(() => false, () => undefined).set(RELAYED)).toBe(true);
      expect([ways, wayTo('https://a.test/')]).toEqual([[BY_RELAY], BY_RELAY]);
    });

    it.each([407, 502])('goes directly where it answers otherwise (%i) or not at all, and after a helper', async (status) => {
      await route.set(PLAN);
      answerWith(status);
      expect(await route.set(RELAYED)).toBe(false);
      expect(wayTo('https://a.test/')).toBe('DIRECT');
    });
  });
});
