import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProxyPlan } from '../../proxy/pac.ts';
import type { ProxyRoute } from '../proxyRoute.ts';
import { createProxyRoute } from './proxyRoute.ts';

const PLAN: ProxyPlan = { port: 4711, username: 'u', password: 'p', leftHosts: [] };
const BY_HELPER = 'PROXY 127.0.0.1:4711; DIRECT';

/** As much of Chromium as decides where a request goes: the script that is in force, with its variables. */
class FakeChromium {
  levelOfControl = 'controllable_by_this_extension';
  mode = 'system';
  private findProxyForURL: ((url: string, host: string) => string) | null = null;
  private script = '';
  private readonly navigationListeners = new Set<() => void>();

  readonly proxy = {
    settings: {
      get: () => Promise.resolve({ levelOfControl: this.levelOfControl, value: { mode: this.mode } }),
      set: ({ value }: { value: { pacScript: { data: string } } }) => {
        this.script = value.pacScript.data;
        this.loadScript();
        return Promise.resolve();
      },
      clear: () => {
        this.findProxyForURL = null;
        return Promise.resolve();
      },
    },
  };
  readonly webRequest = {
    onAuthRequired: { addListener: () => undefined, removeListener: () => undefined, hasListener: () => false },
    onBeforeRequest: { addListener: (listener: () => void) => this.navigationListeners.add(listener), removeListener: (listener: () => void) => this.navigationListeners.delete(listener) },
  };

  /** At the start of a browser that has kept the script, and when the network changes. */
  loadScript(): void {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- as the browser does
    this.findProxyForURL = (new Function(`${this.script}; return FindProxyForURL`) as () => (url: string, host: string) => string)();
  }

  navigate(): void {
    for (const listener of this.navigationListeners) listener();
  }

  wayTo(host: string): string {
    return this.findProxyForURL?.(`http://${host}/`, host) ?? 'DIRECT';
  }

  readonly fetch = (url: string): Promise<never> => {
    this.wayTo(new URL(url).hostname);
    return Promise.reject(new TypeError('nobody is there'));
  };
}

describe('Chromium route', () => {
  let browser: FakeChromium;
  let route: ProxyRoute;
  beforeEach(() => {
    browser = new FakeChromium();
    vi.stubGlobal('chrome', browser);
    vi.stubGlobal('fetch', browser.fetch);
    route = createProxyRoute();
  });
  afterEach(() => vi.unstubAllGlobals());

  it('goes by the helper from when it is set until it is taken back', async () => {
    expect(await route.set(PLAN)).toBe(true);
    expect(browser.wayTo('a.test')).toBe(BY_HELPER);
    expect(await route.set({ ...PLAN, leftHosts: ['a.test'] })).toBe(true);
    expect([browser.wayTo('a.test'), browser.wayTo('b.test')]).toEqual(['DIRECT', BY_HELPER]);
    expect(await route.set(null)).toBe(true);
    expect(browser.wayTo('b.test')).toBe('DIRECT');
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

  it('tells when the browser refuses', async () => {
    browser.proxy.settings.set = () => Promise.reject(new Error('not controllable'));
    expect(await route.set(PLAN)).toBe(false);
  });
});
