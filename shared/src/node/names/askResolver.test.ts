import { Resolver } from 'node:dns/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { TYPE_A, TYPE_AAAA, TestNameServer, V4, V4_ADDRESS, V6, V6_ADDRESS, type NameAnswers } from '../testing/nameServer.ts';
import { askResolver } from './askResolver.ts';

const BOTH = new Set<4 | 6>([4, 6]);

const started: TestNameServer[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.close();
});

/** Asks a name server of the test. */
async function resolverOf(answers: NameAnswers): Promise<Resolver> {
  const server = await TestNameServer.start(answers);
  started.push(server);
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([server.address]);
  return resolver;
}

describe('a resolver', () => {
  it('tells both families, for the shorter time', async () => {
    const resolver = await resolverOf({ [TYPE_A]: [V4], [TYPE_AAAA]: [V6] });
    expect(await askResolver('a.test', resolver, BOTH)).toEqual({ addresses: [V4_ADDRESS, V6_ADDRESS], ttlSeconds: 30 });
  });

  it('is asked only for what the machine has', async () => {
    const resolver = await resolverOf({ [TYPE_A]: [V4], [TYPE_AAAA]: [V6] });
    expect((await askResolver('a.test', resolver, new Set([6]))).addresses).toEqual([V6_ADDRESS]);
  });

  it.each<[string, NameAnswers, object]>([
    ['has IPv4 alone', { [TYPE_A]: [V4], [TYPE_AAAA]: [] }, V4_ADDRESS],
    ['has IPv6 alone', { [TYPE_A]: [], [TYPE_AAAA]: [V6] }, V6_ADDRESS],
    ['says nothing of IPv6', { [TYPE_A]: [V4] }, V4_ADDRESS],
    ['says nothing of IPv4', { [TYPE_AAAA]: [V6] }, V6_ADDRESS],
  ])('%s', async (_, answers, address) => {
    expect((await askResolver('a.test', await resolverOf(answers), BOTH)).addresses).toEqual([address]);
  });

  it.each<[string, NameAnswers]>([
    ['knows no such host', { [TYPE_A]: null, [TYPE_AAAA]: null }],
    ['has no address of it', { [TYPE_A]: [], [TYPE_AAAA]: [] }],
  ])('%s', async (_, answers) => {
    expect(await askResolver('a.test', await resolverOf(answers), BOTH)).toEqual({ addresses: [], ttlSeconds: 0 });
  });

  it('that says nothing of a family has not said that there is none', async () => {
    await expect(askResolver('a.test', await resolverOf({ [TYPE_A]: null }), BOTH)).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});
