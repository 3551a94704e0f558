import { beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/src/names/address.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { HostNames } from './hostNames.ts';

const FIRST: Address = { address: '192.0.2.1', family: 4 };
const SECOND: Address = { address: '2001:db8::2', family: 6 };

/** What the DNS says; a host that is not here nobody knows. */
let dns: Record<string, readonly Address[]>;
let nowMs: number;
/** By which addresses hosts were reached in earlier sessions. */
let remembered: Record<string, string>;
let names: HostNames;

beforeEach(() => {
  [dns, nowMs, remembered] = [{ 'a.test': [FIRST, SECOND] }, 1, {}];
  names = new HostNames(new HostResolver({
    hosts: () => new Map([['set.test', [FIRST]]]),
    ask: (host) => Promise.resolve({ addresses: dns[host] ?? [], ttlSeconds: 60 }),
    lookup: () => Promise.reject(new Error('no lookup')),
    looksFurther: () => false,
    now: () => nowMs,
  }), (host) => remembered[host] ?? null);
});

/** What the DNS has said is not valid any more. */
function wait(): void {
  nowMs += 60_001;
}

describe('where a host is likely to be', () => {
  it('is where it was reached last, while the network has to be asked', async () => {
    expect(names.likely('a.test')).toBeNull();
    await names.resolve('a.test');
    names.reached('A.test.', SECOND);
    // known for as long as the DNS says
    expect(names.likely('a.test')).toBeNull();
    wait();
    expect(names.likely('a.test')).toEqual(SECOND);
  });

  it.each(['192.0.2.1', '[2001:db8::2]', 'set.test'])('is known of %s without the network', (host) => {
    names.reached(host, FIRST);
    expect(names.likely(host)).toBeNull();
  });

  it('is where it was reached in an earlier session', () => {
    remembered = { 'a.test': SECOND.address, 'b.test': 'no address' };
    expect(['A.test.', 'b.test', 'c.test'].map((host) => names.likely(host))).toEqual([SECOND, null, null]);
    names.reached('a.test', FIRST);
    expect(names.likely('a.test')).toEqual(FIRST);
  });

  it('is not known once it has moved, or when none of its addresses has answered', () => {
    remembered = { 'a.test': FIRST.address, 'b.test': FIRST.address };
    names.moved('a.test');
    names.forget('b.test');
    expect([names.likely('a.test'), names.likely('b.test'), names.reachedBy(['https://a.test/', 'https://b.test/'])]).toEqual([null, null, []]);
  });

  it('is not known when the user has erased what was learnt', () => {
    names.reached('a.test', FIRST);
    names.forgetLast();
    expect(names.likely('a.test')).toBeNull();
  });
});

it('tells by which addresses the servers of a page were reached, each once', () => {
  names.reached('a.test', FIRST);
  names.reached('b.test', SECOND);
  expect(names.reachedBy(['https://a.test/page', 'https://a.test', 'http://B.test:8080', 'https://c.test', 'https://[bad'])).toEqual([{ host: 'a.test', address: '192.0.2.1' }, { host: 'b.test', address: '2001:db8::2' }]);
});
