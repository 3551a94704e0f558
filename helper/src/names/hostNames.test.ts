import { beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/src/names/address.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { HostNames } from './hostNames.ts';

const FIRST: Address = { address: '192.0.2.1', family: 4 };
const SECOND: Address = { address: '2001:db8::2', family: 6 };

/** What the DNS says; a host that is not here nobody knows. */
let dns: Record<string, readonly Address[]>;
let nowMs: number;
let names: HostNames;

beforeEach(() => {
  [dns, nowMs] = [{ 'a.test': [FIRST, SECOND] }, 1];
  names = new HostNames(new HostResolver({
    hosts: () => new Map([['set.test', [FIRST]]]),
    ask: (host) => Promise.resolve({ addresses: dns[host] ?? [], ttlSeconds: 60 }),
    lookup: () => Promise.reject(new Error('no lookup')),
    looksFurther: () => false,
    now: () => nowMs,
  }));
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

  it.each([
    ['has another address', [FIRST]],
    ['is no more', []],
  ])('is not known once the DNS says that it %s', async (_, addresses) => {
    names.reached('a.test', SECOND);
    dns['a.test'] = addresses;
    await names.resolve('a.test').catch(() => undefined);
    wait();
    expect(names.likely('a.test')).toBeNull();
  });

  it('is not known when none of its addresses has answered, or when the user has erased what was learnt', () => {
    for (const forget of [() => names.forget('a.test'), () => names.forgetLast()]) {
      names.reached('a.test', FIRST);
      forget();
      expect(names.likely('a.test')).toBeNull();
    }
  });

  it('is as an earlier visit was told, unless it is known better', () => {
    names.reached('a.test', FIRST);
    names.remember([{ host: 'a.test', address: SECOND.address }, { host: 'b.test', address: SECOND.address }, { host: 'c.test', address: 'no address' }]);
    expect(['a.test', 'b.test', 'c.test'].map((host) => names.likely(host))).toEqual([FIRST, SECOND, null]);
  });
});

it('tells by which addresses the servers of a page were reached, each once', () => {
  names.reached('a.test', FIRST);
  names.reached('b.test', SECOND);
  expect(names.reachedBy(['https://a.test/page', 'https://a.test', 'http://B.test:8080', 'https://c.test', 'https://[bad'])).toEqual([{ host: 'a.test', address: '192.0.2.1' }, { host: 'b.test', address: '2001:db8::2' }]);
});
