import { expect, it } from 'vitest';
import type { ErrorCode } from '../../../shared/src/errors.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { NEAR_MS } from '../../../shared/src/estimation/link.ts';
import { LOOPBACK } from '../testing/loopback.ts';
import { TestRelay } from '../testing/testRelay.ts';
import { UNCODED } from './codingTerms.ts';
import type { FormerBodies } from './bodyStore.ts';
import { RefusedHosts } from './refusedHosts.ts';
import { RelayHosts } from './relayHosts.ts';
import type { RelayPlace } from './relayPlace.ts';
import { RelayRoute } from './relayRoute.ts';
import type { RequestCarrier } from './requestCarrier.ts';
import { TerminatedHosts } from './terminatedHosts.ts';

const CARRIER: RequestCarrier = {
  isOpen: true,
  localAddress: '192.0.2.1',
  request: () => {
    throw new Error('nothing is asked here');
  },
  takePushed: () => null,
  connect: () => undefined,
  promisedCookie: () => undefined,
  isSilent: false, overtaken: () => undefined, onLate: () => () => undefined, rank: () => undefined,
  onClosed: () => () => undefined,
};
const NOTHING = (): void => undefined;
const NEAR_LIMIT_MS = 10_000;

/** What a route does that may look into these hosts. */
function routeFor(hosts: 'all' | readonly string[], isUp = true, bodies: FormerBodies | null = null): { readonly told: readonly string[]; readonly expected: readonly string[]; readonly terminates: (origin: string) => boolean; readonly refuse: (code: ErrorCode) => void; readonly answer: (status: number, response: RawHeaders) => void; pass: (ms: number) => void } {
  let nowMs = 1_800_000_000_000;
  const refusedHosts = new RefusedHosts();
  const relayHosts = new RelayHosts({ isPublic: () => true, named: () => new Map(), searched: () => [], isRefused: (host) => refusedHosts.has(host, nowMs) });
  const told: string[] = [];
  const expected: string[] = [];
  const requests: RequestCarrier = { ...CARRIER, connect: (origin) => void expected.push(origin) };
  const carrier = { rttMs: 150, tunnel: () => null, requests: () => (isUp ? requests : null), tellKept: (name: string) => void told.push(name), networkChanged: NOTHING, close: NOTHING };
  const route = new RelayRoute(carrier, relayHosts, { hosts: new TerminatedHosts(hosts, (host) => host === 'bank.test'), refusedHosts, coding: () => UNCODED, bodies, wallNow: () => nowMs });
  const connection = (): NonNullable<ReturnType<RelayRoute['terminate']>> => route.terminate('https://a.test', 1, NOTHING)!;
  return {
    told,
    expected,
    terminates: (origin) => route.terminate(origin, 1, NOTHING) !== null,
    refuse: (code) => connection().host.refused(code),
    answer: (status, response) => connection().host.answered(['sec-fetch-dest', 'image'], status, response),
    pass: (ms) => void (nowMs += ms),
  };
}

it.each([
  ['https://a.test', true], ['https://www.a.test:8443', true], ['http://a.test', true], ['https://b.test', false], ['https://bank.test', false], ['https://nas.local', false], ['http://localhost', false],
])('requests to %s are made by a relay that may look into a.test and bank.test: %s', (origin, expected) => {
  expect(routeFor(['a.test', 'bank.test', 'nas.local', 'localhost']).terminates(origin)).toBe(expected);
});

it('all are but those that are kept closed, and those of this network', () => {
  const { terminates } = routeFor('all');
  expect(['https://x.test', 'https://bank.test', 'https://printer'].map(terminates)).toEqual([true, false, false]);
});

it('is told which server will be asked when a connection to it is opened, and of none that it may not see into', () => {
  const { terminates, expected } = routeFor(['a.test']);
  for (const origin of ['https://b.test', 'https://a.test', 'http://www.a.test:8080']) terminates(origin);
  expect(expected).toEqual(['https://a.test', 'http://www.a.test:8080']);
});

it('is told, before it makes a request, what bodies are kept under', () => {
  const names = ['a', null, 'b'];
  const { terminates, told } = routeFor(['a.test'], true, { find: () => [], have: () => [], received: NOTHING, name: () => names.shift() ?? null });
  for (const origin of ['https://b.test', 'https://a.test', 'https://a.test', 'https://a.test']) terminates(origin);
  expect(told).toEqual(['a', 'b']);
});

it('nothing new goes by it while the link is so fast that it does not pay', () => {
  let pays = true;
  const asked: string[] = [];
  const carrier = { rttMs: 150, tunnel: (host: string) => (asked.push(host), null), requests: () => CARRIER, tellKept: NOTHING, networkChanged: NOTHING, close: NOTHING };
  const relayHosts = new RelayHosts({ isPublic: () => true, named: () => new Map(), searched: () => [] });
  const route = new RelayRoute(carrier, relayHosts, { hosts: new TerminatedHosts('all', () => false), refusedHosts: new RefusedHosts(), coding: () => UNCODED, bodies: null, wallNow: () => 0 }, () => pays);
  const open = (): boolean => {
    route.open('a.test', 443, 2, { direct: () => Promise.reject(new Error('not asked for')), allowHalfOpen: false });
    return route.terminate('https://a.test', 1, NOTHING) !== null;
  };
  const whileItPays = open();
  pays = false;
  expect([whileItPays, open(), asked]).toEqual([true, false, ['a.test']]);
});

it.each<[RelayPlace, boolean, boolean]>([
  ['beyond', true, true],
  ['network', false, false],
  ['machine', false, true],
])('a relay at "%s" tells of the link by short round trips: %s, and has tunnels: %s', async (place, tells, has) => {
  const relay = await TestRelay.start();
  const told: number[] = [];
  const connected: PromiseWithResolvers<void> = Promise.withResolvers();
  const route = RelayRoute.start(relay.config, {
    resolver: { resolve: () => Promise.resolve([LOOPBACK]) }, sources: { hosts: () => new Map() }, link: { rttMs: () => 0, roundTrip: (rttMs) => told.push(rttMs) },
    isPublic: () => true, refusedHosts: new RefusedHosts(), isKeptClosed: () => false, wantsPushed: () => false, coding: () => UNCODED, bodies: null, pays: () => true, wallNow: () => 0,
    log: ({ message }) => message === 'connected' && connected.resolve(),
  }, () => place);
  const hasTunnel = (): boolean => {
    const socket = route.open('a.test', 1, 2, { direct: () => Promise.reject(new Error('not asked for')), allowHalfOpen: false });
    socket?.destroy();
    return socket !== null;
  };
  await connected.promise;
  // the first round trips of a busy machine may be as long as those of a link
  await expect.poll(hasTunnel, { timeout: NEAR_LIMIT_MS }).toBe(has);
  await expect.poll(() => told.some((rttMs) => rttMs <= NEAR_MS), { timeout: NEAR_LIMIT_MS }).toBe(tells);
  route.close();
  await relay.close();
});

it('none is while it is not there', () => expect(routeFor('all', false).terminates('https://a.test')).toBe(false));

it.each<[ErrorCode, boolean, boolean]>([
  ['E_UPSTREAM_TLS', false, false],
  ['E_CLIENT_CERTIFICATE', false, false],
  ['E_RELAY_LIMIT', false, true],
])('after %s none is for a while: %s, and later: %s', (code, soon, later) => {
  const { terminates, refuse, pass } = routeFor('all');
  refuse(code);
  const before = terminates('https://a.test');
  pass(60_000);
  expect([before, terminates('https://a.test')]).toEqual([soon, later]);
});

it('what the relay can not reach is nobody else\'s fault', () => {
  const { terminates, refuse } = routeFor('all');
  refuse('E_CONNECT');
  expect([terminates('https://a.test'), terminates('https://b.test')]).toEqual([false, true]);
});

it('a host that answers with a challenge goes past the relay', () => {
  const { terminates, answer } = routeFor('all');
  answer(200, []);
  expect(terminates('https://a.test')).toBe(true);
  answer(403, ['cf-mitigated', 'challenge']);
  expect([terminates('https://a.test'), terminates('https://b.test')]).toEqual([false, true]);
});
