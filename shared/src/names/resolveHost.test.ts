import { describe, expect, it } from 'vitest';
import type { Address } from './address.ts';
import { HostResolver, type AddressSources } from './resolveHost.ts';

const V4: Address = { address: '192.0.2.1', family: 4 };
const V4B: Address = { address: '192.0.2.2', family: 4 };
const V6: Address = { address: '2001:db8::1', family: 6 };

interface FakeSources extends AddressSources {
  readonly asked: string[];
  readonly lookedUp: string[];
  nowMs: number;
}

function sources(overrides: Partial<AddressSources> = {}): FakeSources {
  const self: FakeSources = {
    asked: [],
    lookedUp: [],
    nowMs: 1,
    hosts: () => new Map<string, Address[]>(),
    ask: (host: string) => {
      self.asked.push(host);
      return Promise.resolve({ addresses: [V4, V4B, V6], ttlSeconds: 60 });
    },
    lookup: (host: string) => {
      self.lookedUp.push(host);
      return Promise.resolve([V4]);
    },
    now: () => self.nowMs,
    ...overrides,
  };
  return self;
}

describe('HostResolver', () => {
  it('families by turns, IPv6 first', async () => expect(await new HostResolver(sources()).resolve('a.test')).toEqual([V6, V4, V4B]));

  it('asks once for what is asked for twice, and again when its time is over', async () => {
    const from = sources();
    const resolver = new HostResolver(from);
    await Promise.all([resolver.resolve('a.test'), resolver.resolve('A.test.')]);
    await resolver.resolve('a.test');
    expect(from.asked).toEqual(['a.test']);
    from.nowMs = 60_002;
    await resolver.resolve('a.test');
    expect(from.asked).toEqual(['a.test', 'a.test']);
  });

  it.each([
    ['192.0.2.9', [{ address: '192.0.2.9', family: 4 }]],
    ['[2001:db8::9]', [{ address: '2001:db8::9', family: 6 }]],
  ])('%s is an address already', async (host, expected) => {
    const from = sources();
    expect(await new HostResolver(from).resolve(host)).toEqual(expected);
    expect(from.asked).toEqual([]);
  });

  it('the hosts file comes first', async () => {
    const from = sources({ hosts: () => new Map([['a.test', [V4B]]]) });
    expect(await new HostResolver(from).resolve('a.test')).toEqual([V4B]);
    expect(from.asked).toEqual([]);
  });

  it.each(['printer', 'printer.local'])('%s is asked of the system', async (host) => {
    const from = sources();
    expect(await new HostResolver(from).resolve(host)).toEqual([V4]);
    expect([from.asked, from.lookedUp]).toEqual([[], [host]]);
  });

  it('what the DNS does not know the system may', async () => {
    const from = sources({ ask: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await new HostResolver(from).resolve('intranet.corp')).toEqual([V4]);
  });

  it.each<[string, Partial<AddressSources>]>([
    ['nobody knows it', { ask: () => Promise.reject(new Error('ENOTFOUND')), lookup: () => Promise.reject(new Error('ENOTFOUND')) }],
    ['it has no address', { ask: () => Promise.resolve({ addresses: [], ttlSeconds: 0 }) }],
  ])('%s: a coded error, and the next one is asked anew', async (_, overrides) => {
    const resolver = new HostResolver(sources(overrides));
    await expect(resolver.resolve('a.test')).rejects.toMatchObject({ code: 'E_NAME' });
    await expect(resolver.resolve('a.test')).rejects.toMatchObject({ code: 'E_NAME' });
  });

  it('forgets what does not answer', async () => {
    const from = sources();
    const resolver = new HostResolver(from);
    await resolver.resolve('a.test');
    resolver.forget('a.test');
    await resolver.resolve('a.test');
    resolver.forgetAll();
    await resolver.resolve('a.test');
    expect(from.asked).toHaveLength(3);
  });

  it('takes nothing that is said in the network before: who asked there is told what this one says', async () => {
    const answers: ((address: Address) => void)[] = [];
    const resolver = new HostResolver(sources({ ask: () => new Promise((resolve) => answers.push((address) => resolve({ addresses: [address], ttlSeconds: 60 }))) }));
    const before = resolver.resolve('a.test');
    resolver.forgetAll();
    const after = resolver.resolve('a.test');
    answers[1]?.(V4B);
    answers[0]?.(V4);
    expect([await before, await after, await resolver.resolve('a.test')]).toEqual([[V4B], [V4B], [V4B]]);
    expect(answers).toHaveLength(2);
  });
});
