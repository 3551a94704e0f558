import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NearerHosts } from './nearerHosts.ts';

let hosts: NearerHosts;

beforeEach(() => {
  vi.useFakeTimers();
  // a time of 0 is none to lru-cache
  vi.advanceTimersByTime(1);
  hosts = new NearerHosts();
});
afterEach(() => vi.useRealTimers());

function tunnels(farMs: readonly number[], host = 'a.test'): void {
  for (const each of farMs) hosts.tunnelled(host, each);
}

// milliseconds: to the relay, from there to the server, and of a connection of TLS directly
it.each([
  ['a server of the user\'s country, the relay in another one', 140, 90, 120, true],
  ['the relay beside the servers, as it should be', 150, 2, 310, false],
  ['the bench: 30 ms from relay to servers', 150, 30, 310, false],
  ['a connection that is hardly there sooner', 100, 50, 150, false],
  ['a connection that is there sooner', 100, 50, 149, true],
  ['a cache that is near to both, the relay far', 150, 2, 40, true],
])('%s', (_, relayMs, farMs, directMs, isNearer) => {
  hosts.roundTrip(relayMs);
  tunnels([farMs, farMs, farMs]);
  hosts.opened('a.test', directMs);
  expect(hosts.has('a.test')).toBe(isNearer);
});

it('nothing is said of a host before both ways are known, nor of another one', () => {
  hosts.roundTrip(140);
  hosts.opened('a.test', 120);
  tunnels([90, 90]);
  expect(hosts.has('a.test')).toBe(false);
  tunnels([90]);
  tunnels([90, 90, 90], 'b.test');
  expect(['a.test', 'A.test.', 'b.test', 'www.a.test'].map((host) => hosts.has(host))).toEqual([true, true, false, false]);
});

it('the shortest of the relay\'s ways counts: a handshake that lost a packet says nothing', () => {
  hosts.roundTrip(900);
  hosts.roundTrip(100);
  hosts.roundTrip(500);
  tunnels([1_050, 20, 1_050]);
  hosts.opened('a.test', 91);
  expect(hosts.has('a.test')).toBe(false);
});

it('the last direct connection counts: where the link is slower since, or there is none any more, the relay\'s way is gone again', () => {
  hosts.roundTrip(140);
  tunnels([90, 90, 90]);
  const after = [120, 400, 120, Infinity].map((directMs) => {
    hosts.opened('a.test', directMs);
    return hosts.has('a.test');
  });
  expect(after).toEqual([true, false, true, false]);
});

it('is forgotten in another network, and after an hour whatever has come meanwhile', () => {
  const learn = (): void => {
    hosts.roundTrip(140);
    tunnels([90, 90, 90]);
    hosts.opened('a.test', 120);
  };
  learn();
  hosts.forget();
  expect(hosts.has('a.test')).toBe(false);
  learn();
  vi.advanceTimersByTime(3_000_000);
  learn();
  expect(hosts.has('a.test')).toBe(true);
  vi.advanceTimersByTime(700_000);
  expect(hosts.has('a.test')).toBe(false);
});
