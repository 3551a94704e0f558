import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProxyPlan } from '../proxy/pac.ts';
import { Sites } from '../settings/sites.ts';
import type { HelperLink } from './helperLink.ts';
import { OwnConnections } from './ownConnections.ts';

const PLAN = { port: 4000, ownHost: 'own.invalid', username: 'u', password: 'p' };

let helper: { isThere: boolean; isLooking: boolean; isOld: boolean; answers: boolean; canIntercept: boolean; intercepts: boolean };
/** What the helper has been asked and told, and the browser, in order. */
let steps: unknown[];
let trusts: boolean;
let route: { isOurs: boolean | Error; obeys: boolean; set: (ProxyPlan | null)[] };
let connections: OwnConnections;
let states: string[];
/** What happens while it is asked what is known of the network. */
let network: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  steps = [];
  helper = { isThere: true, isLooking: false, isOld: false, answers: true, canIntercept: false, intercepts: false };
  trusts = false;
  states = [];
  network = () => undefined;
  route = { isOurs: true, obeys: true, set: [] };
  const link = {
    get state() {
      return helper.isThere ? 'connected' : helper.isLooking ? 'connecting' : 'absent';
    },
    can: (capability: string) => helper.isThere && !(helper.isOld && ['tunnelOnly', 'saveData'].includes(capability)),
    tell: (type: string, payload: object) => steps.push([type, payload]),
    ask: (type: string) => {
      steps.push(type);
      if (type === 'intercept') helper.intercepts = true;
      return Promise.resolve(helper.answers ? { ...PLAN, canIntercept: helper.canIntercept } : null);
    },
  };
  connections = new OwnConnections(link as unknown as HelperLink, {
    knowsTabs: false,
    isRelayThere: () => Promise.resolve(true),
    isOurs: () => (route.isOurs instanceof Error ? Promise.reject(route.isOurs) : Promise.resolve(route.isOurs)),
    set: (plan) => {
      if (route.obeys) route.set.push(plan);
      steps.push(plan?.offHosts ?? null);
      return Promise.resolve(route.obeys);
    },
  }, (ownHost) => Promise.resolve(trusts && ownHost === 'own.invalid'), () => states.push(connections.state), () => Promise.resolve().then(network));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('OwnConnections', () => {
  it('takes back what a browser that died has left, once', async () => {
    await connections.want(null);
    await connections.update();
    expect(route.set).toEqual([null]);
  });

  it('goes by the helper when it is wanted and there', async () => {
    await connections.want({ mayRemember: false, profile: 'p' });
    expect(route.set).toEqual([{ ...PLAN, leftHosts: [], offHosts: [] }]);
  });

  it.each([
    ['is gone', () => (helper.isThere = false)],
    ['does not answer', () => (helper.answers = false)],
    ['is there, and the browser can not say whether another has the proxy', () => (route.isOurs = new Error('test'))],
  ])('takes it back when the helper %s', async (_, happens) => {
    await connections.want({ mayRemember: false, profile: 'p' });
    happens();
    await connections.update();
    expect(route.set.at(-1)).toBeNull();
  });

  it('tells that somebody else has come to say where requests go, or has gone, also while it is not wanted', async () => {
    await connections.want(null);
    expect(states).toEqual([]);
    await connections.othersChanged();
    expect(states).toEqual(['browser']);
  });

  it('is not in use while somebody else says where requests go, and knows that he may be gone', async () => {
    await connections.want({ mayRemember: false, profile: 'p' });
    route.isOurs = false;
    await connections.update();
    expect([connections.areUsed, connections.areOthers, route.set.at(-1)]).toEqual([false, true, null]);
    route.isOurs = true;
    await connections.update();
    expect([connections.areUsed, connections.areOthers]).toEqual([true, false]);
  });

  it.each(['tunnel', 'intercepted'] as const)('is told of as %s also while the same is decided anew', async (state) => {
    helper.canIntercept = trusts = state === 'intercepted';
    await connections.want({ mayRemember: false, profile: 'p' });
    const seen: string[] = [];
    network = () => seen.push(connections.state);
    await connections.update();
    expect([seen, connections.state, states]).toEqual([[state], state, [state]]);
  });

  it('asks a helper that did not answer again, ever later, until it does', async () => {
    helper.answers = false;
    await connections.want({ mayRemember: false, profile: 'p' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(connections.state).toBe('helperRefused');
    helper.answers = true;
    await vi.advanceTimersByTimeAsync(19_000);
    expect(connections.state).toBe('helperRefused');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(states).toEqual(['helperRefused', 'tunnel']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['*.evil.test', '*.*', 'a|b.test', 'a^.test', ''])('leaves no host %j, which would be a pattern of others', async (host) => {
    await connections.want({ mayRemember: false, profile: 'p' });
    expect(await connections.leave(host)).toBe(false);
    expect(route.set.at(-1)?.leftHosts).toEqual([]);
  });

  it('steps aside while the helper does not pay, and comes back', async () => {
    await connections.want({ mayRemember: false, profile: 'p' });
    await connections.doesPay(false);
    expect(route.set.at(-1)).toBeNull();
    expect([connections.state, connections.areUsed]).toEqual(['notNeeded', false]);
    await connections.doesPay(true);
    expect(route.set.at(-1)).toEqual({ ...PLAN, leftHosts: [], offHosts: [] });
    expect(connections.state).toBe('tunnel');
  });

  it('asks for no proxy in a network that is known as fast, and takes one that a browser has kept away', async () => {
    network = () => void connections.doesPay(false);
    await connections.want({ mayRemember: true, profile: 'p' });
    await connections.settled();
    expect([steps, route.set, connections.state, connections.trust]).toEqual([[null], [null], 'notNeeded', 'unknown']);
    network = () => undefined;
    await connections.doesPay(true);
    expect([connections.state, route.set.at(-1)]).toEqual(['tunnel', { ...PLAN, leftHosts: [], offHosts: [] }]);
  });

  it('changes nothing when all stays as it was', async () => {
    await connections.want({ mayRemember: false, profile: 'p' });
    await connections.doesPay(true);
    expect(route.set).toHaveLength(1);
  });

  it('leaves the proxy of the user alone', async () => {
    route.isOurs = false;
    await connections.want({ mayRemember: false, profile: 'p' });
    expect(route.set).toEqual([null]);
  });

  it('leaves a host to the browser, and keeps to that', async () => {
    await connections.want({ mayRemember: false, profile: 'p' });
    expect(await connections.leave('a.test')).toBe(true);
    expect(route.set.at(-1)?.leftHosts).toEqual(['a.test']);
    await connections.want({ mayRemember: false, profile: 'p' });
    expect(route.set.at(-1)?.leftHosts).toEqual(['a.test']);
    expect(await connections.leave('a.test'), 'asked for by each of its connections').toBe(true);
    expect(route.set).toHaveLength(2);
  });

  it('does not say that a host is left when the browser refuses', async () => {
    await connections.want({ mayRemember: false, profile: 'p' });
    route.obeys = false;
    expect(await connections.leave('a.test')).toBe(false);
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
  ])('has the helper intercept only if it can (%s) and the browser trusts it (%s)', async (canIntercept, doesTrust, expected) => {
    helper.canIntercept = canIntercept;
    trusts = doesTrust;
    await connections.want({ mayRemember: false, profile: 'p' });
    expect(helper.intercepts).toBe(expected);
    expect(states).toEqual([expected ? 'intercepted' : 'tunnel']);
    expect(connections.trust).toBe(canIntercept ? (doesTrust ? 'trusted' : 'notTaken') : 'none');
  });

  it('knows whether the browser trusts the helper also while requests go by the browser, and no longer when the helper has gone', async () => {
    expect(connections.trust).toBe('unknown');
    [helper.canIntercept, trusts] = [true, true];
    await connections.want({ mayRemember: false, profile: 'p' });
    await connections.doesPay(false);
    expect([connections.state, connections.trust]).toEqual(['notNeeded', 'trusted']);
    await connections.want(null);
    expect([connections.state, connections.trust]).toEqual(['browser', 'trusted']);
    helper.isThere = false;
    await connections.update();
    expect(connections.trust).toBe('unknown');
  });

  it.each([
    ['nobody wants it', {}, {}, 'browser', false],
    ['the helper does', {}, {}, 'tunnel', true],
    ['the helper intercepts', { canIntercept: true }, {}, 'intercepted', true],
    ['the proxy is that of somebody else', {}, { isOurs: false }, 'browser', true],
    ['the helper does not answer', { answers: false }, {}, 'helperRefused', true],
    ['the browser refuses', {}, { obeys: false }, 'browserRefused', true],
  ])('knows where requests go: %s', async (_, ofHelper, ofRoute, state, isWanted) => {
    trusts = true;
    Object.assign(helper, ofHelper);
    Object.assign(route, ofRoute);
    await connections.want(isWanted ? { mayRemember: false, profile: 'p' } : null);
    expect(connections.state).toBe(state);
    expect(connections.areUsed).toBe(state === 'tunnel' || state === 'intercepted');
    expect(connections.areAsWanted).toBe(!isWanted || connections.areUsed);
  });

  it('is as wanted on a link that needs no help, and not before what is wanted has come into force', async () => {
    const change = connections.want({ mayRemember: false, profile: 'p' });
    expect(connections.areAsWanted).toBe(false);
    await connections.settled();
    expect(connections.areAsWanted).toBe(true);
    await change;
    await connections.doesPay(false);
    expect([connections.state, connections.areAsWanted]).toEqual(['notNeeded', true]);
  });

  it('hears of an authority that was made since the helper has started, asks only while there was none, and changes nothing by that', async () => {
    expect(await connections.hasNewAuthority()).toBe(false);
    await connections.want({ mayRemember: false, profile: 'p' });
    steps = [];
    expect(await connections.hasNewAuthority()).toBe(false);
    helper.canIntercept = true;
    expect(await connections.hasNewAuthority()).toBe(true);
    helper.answers = false;
    expect(await connections.hasNewAuthority()).toBe(false);
    expect([steps, connections.state]).toEqual([['proxy', 'proxy', 'proxy'], 'tunnel']);
    Object.assign(helper, { answers: true });
    trusts = true;
    await connections.update();
    steps = [];
    expect([await connections.hasNewAuthority(), steps]).toEqual([false, []]);
  });

  it('names no more hosts than fit', async () => {
    await connections.want({ mayRemember: false, profile: 'p' });
    for (let i = 0; i < 510; i += 1) await connections.leave(`h${i}.test`);
    expect(route.set.at(-1)?.leftHosts).toHaveLength(500);
    expect(route.set.at(-1)?.leftHosts.at(-1)).toBe('h509.test');
  });

  describe('what the user has decided of sites', () => {
    const SITES = Sites.NONE.switched('off.test', true).with({ host: 'closed.test', isOff: false, tunnelOnly: true, dataSaver: 'inherit' });
    const SAVED = { inGeneral: false, on: ['saved.test'], off: [] };
    const NOTHING = { inGeneral: false, on: [], off: [] };
    const TOLD = [['tunnelOnly', { hosts: ['closed.test', 'off.test'] }], ['saveData', SAVED]];

    it('is told to the helper before it may open anything, and what is off goes by the browser from the first request on', async () => {
      [helper.canIntercept, trusts] = [true, true];
      await connections.heed(SITES, SAVED);
      expect(steps, 'nothing while there is no proxy').toEqual([]);
      await connections.want({ mayRemember: false, profile: 'p' });
      expect(steps).toEqual(['proxy', ...TOLD, ['off.test'], 'intercept']);
    });

    it('counts at once when it changes, and nothing is asked anew', async () => {
      await connections.want({ mayRemember: false, profile: 'p' });
      await connections.leave('left.test');
      steps = [];
      await connections.heed(SITES, SAVED);
      await connections.heed(Sites.NONE.switched('off.test', true).merged(SITES), { ...SAVED });
      expect(steps).toEqual([...TOLD, ['off.test']]);
      expect(route.set.at(-1)).toEqual({ ...PLAN, leftHosts: ['left.test'], offHosts: ['off.test'] });
      await connections.heed(Sites.NONE, NOTHING);
      expect(steps.slice(3)).toEqual([['tunnelOnly', { hosts: [] }], ['saveData', NOTHING], []]);
      expect(connections.state).toBe('tunnel');
    });

    it('stays when a host is left, and is told to the next helper too', async () => {
      await connections.heed(SITES, SAVED);
      await connections.want({ mayRemember: false, profile: 'p' });
      await connections.leave('left.test');
      expect(route.set.at(-1)?.offHosts).toEqual(['off.test']);
      steps = [];
      await connections.update();
      expect(steps).toEqual(['proxy', ...TOLD, ['off.test']]);
    });

    it('is kept with a helper that can not be told: what it may not open it does not get', async () => {
      helper.isOld = true;
      await connections.heed(SITES, SAVED);
      await connections.want({ mayRemember: false, profile: 'p' });
      expect(steps).toEqual(['proxy', ['closed.test', 'off.test']]);
    });
  });

  it('decides nothing before it is said what is wanted', async () => {
    await connections.update();
    expect(route.set).toEqual([]);
  });

  describe('a relay of the user', () => {
    const RELAY = { host: 'relay.test', port: 8443, user: 'phone', token: 't' };
    const RELAYED = { relayHost: 'relay.test', port: 8443, ownHost: expect.stringMatching(/^[\da-f-]{36}\.firstscreen-relay\.invalid$/) as string, username: 'phone', password: 't', leftHosts: ['relay.test'], offHosts: [] };

    beforeEach(async () => {
      await connections.want(null);
      route.set = [];
      steps = [];
    });

    it('is used where there is no helper, and not where there is one, also when it comes later', async () => {
      await connections.useRelay(RELAY);
      expect([route.set, connections.relayStatus]).toEqual([[], 'helper']);
      helper.isThere = false;
      await connections.update();
      expect([route.set.at(-1), connections.relayStatus, connections.areUsed, connections.state]).toEqual([RELAYED, 'inUse', false, 'browser']);
      helper.isThere = true;
      await connections.want({ mayRemember: false, profile: 'p' });
      expect([route.set.at(-1), connections.relayStatus]).toEqual([{ ...PLAN, leftHosts: [], offHosts: [] }, 'helper']);
    });

    it('is not begun with while a helper is looked for, and goes on while one is looked for again', async () => {
      Object.assign(helper, { isThere: false, isLooking: true });
      await connections.useRelay(RELAY);
      expect([route.set, connections.relayStatus]).toEqual([[], 'starting']);
      helper.isLooking = false;
      await connections.update();
      helper.isLooking = true;
      await connections.update();
      expect([route.set, connections.isRelayed]).toEqual([[RELAYED], true]);
    });

    it('of a background script that was stopped goes on while the next one looks for a helper', async () => {
      Object.assign(helper, { isThere: false, isLooking: true });
      const next = new OwnConnections({ get state() { return helper.isLooking ? 'connecting' : 'absent'; }, can: () => false } as unknown as HelperLink, { knowsTabs: false, isOurs: () => Promise.resolve(true), isRelayThere: () => Promise.resolve(true), set: (plan) => { route.set.push(plan); return Promise.resolve(true); } }, () => Promise.resolve(false), () => undefined);
      await Promise.all([next.want(null), next.useRelay(RELAY)]);
      expect(route.set).toEqual([]);
      helper.isLooking = false;
      await next.update();
      expect(route.set).toEqual([RELAYED]);
    });

    it('that does not answer is left alone for ever longer, whatever else happens', async () => {
      helper.isThere = false;
      route.obeys = false;
      await connections.useRelay(RELAY);
      steps = [];
      await connections.update();
      expect([steps, connections.relayStatus]).toEqual([[], 'silent']);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(steps).toContainEqual([]);
      steps = [];
      route.obeys = true;
      await vi.advanceTimersByTimeAsync(19_000);
      expect(steps).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_000);
      expect([route.set.at(-1), connections.relayStatus, vi.getTimerCount()]).toEqual([RELAYED, 'inUse', 0]);
    });

    it('that is gone is left at once, and tried again later; another one is tried now', async () => {
      helper.isThere = false;
      await connections.useRelay(RELAY);
      await connections.relayLost();
      expect([route.set.at(-1), connections.relayStatus]).toEqual([null, 'silent']);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(connections.relayStatus).toBe('inUse');
      await connections.relayLost();
      await connections.useRelay({ ...RELAY, host: 'b.test' });
      expect(route.set.at(-1)?.relayHost).toBe('b.test');
      await connections.useRelay(null);
      expect([route.set.at(-1), connections.relayStatus]).toEqual([null, 'none']);
    });

    it('waits as long as it is paused, and one that is silent is not tried sooner for that', async () => {
      helper.isThere = false;
      await connections.useRelay(RELAY);
      await connections.useRelay(RELAY, true);
      expect([route.set.at(-1), connections.relayStatus]).toEqual([null, 'paused']);
      await connections.useRelay(RELAY);
      expect([route.set.at(-1), connections.relayStatus]).toEqual([RELAYED, 'inUse']);
      await connections.relayLost();
      await connections.useRelay(RELAY, true);
      await connections.useRelay(RELAY);
      expect([route.set.at(-1), connections.relayStatus]).toEqual([null, 'silent']);
    });

    it('is left aside on a fast link, and where somebody else says where requests go', async () => {
      helper.isThere = false;
      await connections.useRelay(RELAY);
      await connections.doesPay(false);
      expect([route.set.at(-1), connections.relayStatus]).toEqual([null, 'notNeeded']);
      route.isOurs = false;
      await connections.doesPay(true);
      expect([route.set.at(-1), connections.isRelayed]).toEqual([null, false]);
    });

    it('is not used for its own host, hosts that it can not reach, and sites that are off; of what it may not open nothing is kept from it', async () => {
      helper.isThere = false;
      await connections.useRelay(RELAY);
      await connections.leave('home.test');
      await connections.heed(Sites.NONE.switched('off.test', true).with({ host: 'closed.test', isOff: false, tunnelOnly: true, dataSaver: 'inherit' }), { inGeneral: false, on: [], off: [] });
      expect(route.set.at(-1)).toEqual({ ...RELAYED, leftHosts: ['home.test', 'relay.test'], offHosts: ['off.test'] });
    });
  });
});
