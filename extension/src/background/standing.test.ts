import { beforeEach, describe, expect, it, vi } from 'vitest';
import { STATUS } from '../messages/testing.ts';
import { Sites } from '../settings/sites.ts';
import type { HelperState } from './helperLink.ts';
import type { OwnConnections } from './ownConnections.ts';
import { Standing } from './standing.ts';

const [TAB, OTHER] = [1, 2];
const PAGE = { url: 'https://a.test/', isPrivate: false };

let now: { helper: HelperState; connections: OwnConnections['state']; relay: OwnConnections['relayStatus']; isOurs: boolean; pays: boolean; hasGate: boolean; isPausing: boolean; isComparing: boolean; without: number | null; answeredByWorker: number | null; settings: object; hasAccess: boolean };
let asked: number;
beforeEach(() => {
  now = { helper: 'connected', connections: 'browser', relay: 'none', isOurs: true, pays: true, hasGate: true, isPausing: false, isComparing: false, without: null, answeredByWorker: null, settings: {}, hasAccess: true };
  asked = 0;
  vi.stubGlobal('chrome', {
    // each text is its key
    i18n: { getMessage: () => '' },
    permissions: { contains: () => Promise.resolve(now.hasAccess) },
    storage: { local: { get: (defaults: object) => Promise.resolve({ ...defaults, ...now.settings }) } },
  });
});

function standing(): Standing {
  return new Standing({
    documents: { counts: () => ({ held: 5, released: 3, inView: 2, left: 0 }), isAnsweredByWorker: (tabId) => tabId === now.answeredByWorker },
    loadsWithout: { has: (tabId) => tabId === now.without },
    traffic: { linkNow: STATUS.link },
    payoff: { pays: now.pays },
    helper: {
      state: now.helper, misfit: null, can: () => now.helper === 'connected',
      ask: () => {
        asked += 1;
        return Promise.resolve(null);
      },
    },
    connections: { state: now.connections, trust: 'unknown', relayStatus: now.relay },
    route: { isOurs: () => Promise.resolve(now.isOurs) },
    hasGate: now.hasGate,
    sites: () => Sites.NONE.switched('off.test', true),
    isRestricted: (url) => url.startsWith('https://store.test'),
    isPausing: () => now.isPausing,
    isComparing: () => now.isComparing,
  });
}

describe('what popup and icon are told', () => {
  it('is of the tab what was held there, how it is loaded, the link, and of the helper all', async () => {
    now = { ...now, without: TAB, answeredByWorker: OTHER, pays: false };
    const silent = expect.objectContaining({ state: 'fault' }) as object;
    expect(await standing().status(TAB)).toEqual({ ...STATUS, held: 5, released: 3, inView: 2, isWithout: true, isLinkFast: true, driver: silent });
    expect(await standing().status(OTHER)).toMatchObject({ isWithout: false, isAnsweredByWorker: true });
  });

  it.each([
    ['browser', true, 'paused'],
    ['browser', false, 'browser'],
    ['helperRefused', true, 'helperRefused'],
  ] as const)('of connections that are %s, while a page is loaded without (%s): %s', async (connections, isPausing, told) => {
    now = { ...now, connections, isPausing };
    expect((await standing().status(TAB)).connections).toBe(told);
  });

  it('is that connections wait, while pages are loaded without to compare', async () => {
    now = { ...now, isComparing: true };
    expect(await standing().status(TAB)).toMatchObject({ isComparing: true, connections: 'paused' });
  });
});

it.each([
  ['inUse', true, 'inUse'],
  ['starting', true, 'starting'],
  ['starting', false, 'otherProxy'],
] as const)('of a relay that is %s, where the proxy is ours (%s): %s', async (relay, isOurs, told) => {
  now = { ...now, helper: 'absent', relay, isOurs };
  expect(await standing().status(TAB)).toMatchObject({ connections: 'noHelper', relay: told });
});

describe('what the icon says', () => {
  it.each<[string, Partial<typeof now>, typeof PAGE, string, string]>([
    ['at work, also where images are held', {}, PAGE, 'pageReady', 'pageReady'],
    ['off', { settings: { enabled: false } }, PAGE, 'pageOff', 'pageOff'],
    ['without access', { hasAccess: false }, PAGE, 'pageNoAccess', 'pageNoAccess'],
    ['without the helper that is needed', { hasGate: false, helper: 'absent' }, PAGE, 'pageNoHelper', 'pageNoHelper'],
    ['off for the site', {}, { ...PAGE, url: 'https://www.off.test/' }, 'pageReady', 'offHere'],
    ['on a page of the browser', {}, { ...PAGE, url: 'chrome://newtab/' }, 'pageReady', 'pageClosed'],
    ['on a page of a store', {}, { ...PAGE, url: 'https://store.test/' }, 'pageReady', 'pageClosed'],
    ['loaded once without', { without: TAB }, PAGE, 'pageReady', 'pageWithout'],
    ['without it, to compare', { isComparing: true }, PAGE, 'pageComparing', 'pageComparing'],
    ['on a page whose worker answers', { answeredByWorker: TAB }, PAGE, 'pageReady', 'pageAside'],
    ['in a private window that only the helper could help', { hasGate: false, settings: { connections: true }, connections: 'tunnel' }, { ...PAGE, isPrivate: true }, 'pageCarriedPlain', 'pageAside'],
  ])('%s', async (_, change, page, ofAll, ofTab) => {
    now = { ...now, ...change };
    const outlook = await standing().outlook();
    expect([outlook.ofAll.headline, outlook.of(TAB, page).headline]).toEqual([ofAll, ofTab]);
    expect(asked, 'nobody asks the driver for an icon').toBe(0);
  });
});
