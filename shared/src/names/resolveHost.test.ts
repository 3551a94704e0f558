import { describe, expect, it } from 'vitest';
import type { Address, AddressAnswer } from './address.ts';
import { HostResolver, type AddressSources } from './resolveHost.ts';

const V4: Address = { address: '192.0.2.1', family: 4 };
const V4B: Address = { address: '192.0.2.2', family: 4 };
const V6: Address = { address: '2001:db8::1', family: 6 };
/** As a resolver says of a host that there is none. */
const NONE: AddressAnswer = { addresses: [], ttlSeconds: 0 };

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
    looksFurther: () => true,
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

  it.each<[string, AddressSources['ask']]>([
    ['knows no such host', () => Promise.resolve(NONE)],
    ['does not answer', () => Promise.reject(new Error('ETIMEOUT'))],
  ])('where the DNS %s the system may know it', async (_, ask) => expect(await new HostResolver(sources({ ask })).resolve('intranet.corp')).toEqual([V4]));

  it.each<[string, Partial<AddressSources>, number]>([
    ['the DNS says so, and nothing else is set', { looksFurther: () => false }, 0],
    ['the system does not know it either', { lookup: () => Promise.reject(new Error('ENOTFOUND')) }, 0],
    ['no resolver answers', { ask: () => Promise.reject(new Error('ETIMEOUT')), lookup: () => Promise.reject(new Error('EAI_AGAIN')) }, 1],
  ])('nobody knows the host, as %s: a coded error, and it is asked for again', async (_, overrides, sooner) => {
    let questions = 0;
    const { ask = () => Promise.resolve(NONE) } = overrides;
    const from = sources({ ...overrides, ask: (host) => ((questions += 1), ask(host)) });
    const resolver = new HostResolver(from);
    await expect(resolver.resolve('a.test')).rejects.toMatchObject({ code: 'E_NAME' });
    await expect(resolver.resolve('a.test')).rejects.toMatchObject({ code: 'E_NAME' });
    expect(questions).toBe(1 + sooner);
    from.nowMs += 5_001;
    await expect(resolver.resolve('a.test')).rejects.toMatchObject({ code: 'E_NAME' });
    expect(questions).toBe(2 + sooner);
    expect(from.lookedUp).toEqual([]);
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
