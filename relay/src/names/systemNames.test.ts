import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { askResolver, systemNames } from './systemNames.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const V4 = Buffer.from([192, 0, 2, 1]);
const V6 = Buffer.from('20010db8000000000000000000000001', 'hex');
const V4_ADDRESS = { address: '192.0.2.1', family: 4 };
const V6_ADDRESS = { address: '2001:db8::1', family: 6 };
const BOTH = new Set<4 | 6>([4, 6]);

/** Record data by type; `null` is NXDOMAIN, a type that is not there is never answered. */
type Answers = Readonly<Record<number, readonly Buffer[] | null>>;

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** Asks a name server on loopback (RFC 1035, section 4), whose AAAA records live for 30 s, others for 60. */
async function resolverOf(answers: Answers): Promise<Resolver> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.on('message', (question, { port, address }) => {
    // header of 12 bytes, labels up to an empty one, type, class
    const nameEnd = question.indexOf(0, 12) + 1;
    const type = question.readUInt16BE(nameEnd);
    const records = answers[type];
    if (records === undefined) return;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(records === null ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records?.length ?? 0, 6);
    header.writeUInt32BE(0, 8);
    const body = (records ?? []).map((data) => Buffer.concat([Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, type === TYPE_AAAA ? 30 : 60, 0, data.length]), data]));
    socket.send(Buffer.concat([header, question.subarray(12, nameEnd + 4), ...body]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return resolver;
}

describe('the resolver of the system', () => {
  it('tells both families, for the shorter time', async () => {
    const resolver = await resolverOf({ [TYPE_A]: [V4], [TYPE_AAAA]: [V6] });
    expect(await askResolver('a.test', resolver, BOTH)).toEqual({ addresses: [V4_ADDRESS, V6_ADDRESS], ttlSeconds: 30 });
  });

  it('is asked only for what the machine has', async () => {
    const resolver = await resolverOf({ [TYPE_A]: [V4], [TYPE_AAAA]: [V6] });
    expect((await askResolver('a.test', resolver, new Set([6]))).addresses).toEqual([V6_ADDRESS]);
  });

  it.each<[string, Answers, object]>([
    ['has IPv4 alone', { [TYPE_A]: [V4], [TYPE_AAAA]: [] }, V4_ADDRESS],
    ['has IPv6 alone', { [TYPE_A]: [], [TYPE_AAAA]: [V6] }, V6_ADDRESS],
    ['says nothing of IPv6', { [TYPE_A]: [V4] }, V4_ADDRESS],
    ['says nothing of IPv4', { [TYPE_AAAA]: [V6] }, V6_ADDRESS],
  ])('%s', async (_, answers, address) => {
    expect((await askResolver('a.test', await resolverOf(answers), BOTH)).addresses).toEqual([address]);
  });

  it('knows no such host', async () => {
    await expect(askResolver('a.test', await resolverOf({ [TYPE_A]: null, [TYPE_AAAA]: null }), BOTH)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

it('the lookup of the system knows this machine', async () => {
  const addresses = await systemNames().lookup('localhost');
  expect(addresses.length).toBeGreaterThan(0);
  for (const { address } of addresses) expect(['127.0.0.1', '::1']).toContain(address);
});
