import { afterEach, describe, expect, it, vi } from 'vitest';
import { TYPE_A, TYPE_AAAA, TestNameServer, V4, V4_ADDRESS, V6, V6_ADDRESS, type NameAnswers, type NameServerBehaviour } from '../../../shared/src/node/testing/nameServer.ts';
import { askedAgainAfter, nameServers } from './nameServers.ts';

const FAMILIES = { both: new Set<4 | 6>([4, 6]), v4: new Set<4 | 6>([4]) };

const started: TestNameServer[] = [];
afterEach(() => {
  for (const server of started.splice(0)) server.close();
});

/** @returns its address */
async function serve(answers: NameAnswers, behaviour?: NameServerBehaviour): Promise<string> {
  const server = await TestNameServer.start(answers, behaviour);
  started.push(server);
  return server.address;
}

describe('name servers', () => {
  it('both families, over one socket, with the shorter time to live', async () => {
    const ports: number[] = [];
    const servers = nameServers([await serve({ [TYPE_A]: [V4], [TYPE_AAAA]: [V6] }, { asked: (port) => ports.push(port) })]);
    expect(await servers('a.test', FAMILIES.both)).toEqual({ addresses: [V4_ADDRESS, V6_ADDRESS], ttlSeconds: 30 });
    expect([ports.length, new Set(ports).size]).toEqual([2, 1]);
  });

  it('no other is asked than the first, which answers late or does not know the host', async () => {
    let questions = 0;
    const other = await serve({ [TYPE_A]: [V4] }, { asked: () => (questions += 1) });
    const lateQuestions = [1, 2].map(() => Promise.withResolvers<unknown>());
    let came = 0;
    const late = nameServers([await serve({ [TYPE_A]: [V6.subarray(0, 4)] }, { delayMs: 50, asked: () => lateQuestions[came++]?.resolve(null) }), other], () => 40);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asking = late('a.test', FAMILIES.v4);
    for (const { promise } of lateQuestions) {
      await promise;
      vi.advanceTimersByTime(40);
    }
    vi.useRealTimers();
    expect((await asking).addresses).toEqual([{ address: '32.1.13.184', family: 4 }]);
    expect((await nameServers([await serve({ [TYPE_A]: null }), other])('a.test', FAMILIES.v4)).addresses).toEqual([]);
    expect(questions).toBe(0);
  });

  it('the next is asked when the first is silent, and is told to be the one that answers', async () => {
    const second = await serve({ [TYPE_A]: [V4] });
    const answered: string[] = [];
    const servers = nameServers([await serve({}), second], () => 1, (address) => answered.push(address));
    expect((await servers('a.test', FAMILIES.v4)).addresses).toEqual([V4_ADDRESS]);
    expect(answered).toEqual([second]);
  });

  it.each([
    [0, [500, 1_000, 1_000]],
    [150, [500, 1_000, 1_000]],
    [200, [550, 1_000, 1_000]],
    [2_000, [1_000, 1_000, 1_000]],
  ])('over a round trip of %i ms a question is asked again when its answer should have come, and each second at least', (rttMs, delaysMs) => {
    expect([1, 2, 3].map(askedAgainAfter(rttMs))).toEqual(delaysMs);
  });

  it('a question that is lost is asked again soon, not after five seconds', async () => {
    let questions = 0;
    const server = nameServers([await serve({ [TYPE_A]: [V4] }, { loses: 3, asked: () => (questions += 1) })], () => 1);
    expect((await server('a.test', FAMILIES.v4)).addresses.map(({ address }) => address)).toEqual(['192.0.2.1']);
    expect(questions).toBe(4);
  });

  it('an answer that there is no such host is one: it is not asked for again', async () => {
    let questions = 0;
    const server = nameServers([await serve({ [TYPE_A]: null }, { asked: () => (questions += 1) })]);
    expect((await server('a.test', FAMILIES.v4)).addresses).toEqual([]);
    expect(questions).toBe(1);
  });
});
