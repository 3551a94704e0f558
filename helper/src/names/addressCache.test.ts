import { describe, expect, it } from 'vitest';
import { AddressCache, type Address } from './addressCache.ts';

const A: Address = { address: '192.0.2.1', family: 4 };

describe('AddressCache', () => {
  it.each([
    ['as long as the DNS says', 60, 59_999, 60_000],
    ['at least five seconds', 0, 4_999, 5_000],
    ['at most an hour', 86_400, 3_599_999, 3_600_000],
  ])('knows an address %s', (_, ttlSeconds, stillMs, notMs) => {
    const cache = new AddressCache();
    cache.put('a.test', { addresses: [A], ttlSeconds }, 0);
    expect(cache.get('a.test', stillMs)).toEqual([A]);
    expect(cache.get('a.test', notMs)).toBeNull();
  });

  it('does not keep an empty answer', () => {
    const cache = new AddressCache();
    cache.put('a.test', { addresses: [], ttlSeconds: 60 }, 0);
    expect(cache.get('a.test', 0)).toBeNull();
  });

  it('forgets a host, or all of them', () => {
    const cache = new AddressCache();
    for (const host of ['a.test', 'b.test', 'c.test']) cache.put(host, { addresses: [A], ttlSeconds: 60 }, 0);
    cache.forget('a.test');
    expect([cache.get('a.test', 0), cache.get('b.test', 0)]).toEqual([null, [A]]);
    cache.clear();
    expect(cache.get('b.test', 0)).toBeNull();
  });

  it('is bounded: the host that was put first goes', () => {
    const cache = new AddressCache();
    for (let i = 0; i <= 1_000; i += 1) cache.put(`${i}.test`, { addresses: [A], ttlSeconds: 60 }, 0);
    expect(cache.get('0.test', 0)).toBeNull();
    expect(cache.get('1.test', 0)).toEqual([A]);
    expect(cache.get('1000.test', 0)).toEqual([A]);
  });
});
