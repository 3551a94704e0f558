import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { askForAddresses, nameServers } from './nameServers.ts';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const FAMILIES = { both: new Set<4 | 6>([4, 6]), v4: new Set<4 | 6>([4]), v6: new Set<4 | 6>([6]) };

interface Answers {
  /** Record data by type; a type without records has no answer (NODATA), `null` is NXDOMAIN. */
  readonly [type: number]: readonly Buffer[] | null;
  readonly delayMs?: number;
  /** Questions are lost. */
  readonly isSilent?: boolean;
  /** So many of them are. */
  readonly loses?: number;
  /** Told of each question. */
  readonly asked?: () => void;
  readonly ttl?: number;
}

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A name server on loopback (RFC 1035, section 4): answers each question with the records of its type. @returns its address */
async function serve(answers: Answers): Promise<string> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  let lost = 0;
  socket.on('message', (question, { port, address }) => {
    answers.asked?.();
    if (answers.isSilent === true) return;
    if (lost < (answers.loses ?? 0)) return void (lost += 1);
    // header of 12 bytes, labels up to an empty one, type, class
    const nameEnd = question.indexOf(0, 12) + 1;
    const records = answers[question.readUInt16BE(nameEnd)] ?? null;
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(records === null ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records?.length ?? 0, 6);
    header.writeUInt32BE(0, 8);
    const body = (records ?? []).map((data) => {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(question.readUInt16BE(nameEnd), 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt32BE(answers.ttl ?? 60, 6);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    });
    setTimeout(() => {
      if (sockets.includes(socket)) socket.send(Buffer.concat([header, question.subarray(12, nameEnd + 4), ...body]), port, address);
    }, answers.delayMs ?? 0);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return `127.0.0.1:${socket.address().port}`;
}

const V4 = Buffer.from([192, 0, 2, 1]);
const V6 = Buffer.from('20010db8000000000000000000000001', 'hex');

describe('name servers', () => {
  it('both families, with the shorter time to live', async () => {
    const servers = nameServers([await serve({ [TYPE_A]: [V4], [TYPE_AAAA]: [V6], ttl: 30 })]);
    expect(await askForAddresses('a.test', servers, FAMILIES.both)).toEqual({ addresses: [{ address: '2001:db8::1', family: 6 }, { address: '192.0.2.1', family: 4 }], ttlSeconds: 30 });
  });

  it.each([['v4', [{ address: '192.0.2.1', family: 4 }]], ['v6', [{ address: '2001:db8::1', family: 6 }]]] as const)('only what the machine has addresses of: %s', async (family, expected) => {
    const servers = nameServers([await serve({ [TYPE_A]: [V4], [TYPE_AAAA]: [V6] })]);
    expect((await askForAddresses('a.test', servers, FAMILIES[family])).addresses).toEqual(expected);
  });

  it('a host of one family', async () => {
    const servers = nameServers([await serve({ [TYPE_A]: [V4], [TYPE_AAAA]: [] })]);
    expect((await askForAddresses('a.test', servers, FAMILIES.both)).addresses).toEqual([{ address: '192.0.2.1', family: 4 }]);
  });

  it('no other is asked than the first, which answers late or does not know the host', async () => {
    let questions = 0;
    const other = await serve({ [TYPE_A]: [V4], asked: () => (questions += 1) });
    const lateQuestions = [1, 2].map(() => Promise.withResolvers<unknown>());
    let came = 0;
    const late = nameServers([await serve({ [TYPE_A]: [V6.subarray(0, 4)], delayMs: 50, asked: () => lateQuestions[came++]?.resolve(null) }), other], 40);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asking = askForAddresses('a.test', late, FAMILIES.v4);
    for (const { promise } of lateQuestions) {
      await promise;
      vi.advanceTimersByTime(40);
    }
    vi.useRealTimers();
    expect((await asking).addresses).toEqual([{ address: '32.1.13.184', family: 4 }]);
    await expect(askForAddresses('a.test', nameServers([await serve({ [TYPE_A]: null }), other]), FAMILIES.v4)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(questions).toBe(0);
  });

  it('the next is asked when the first is silent, and is told to be the one that answers', async () => {
    const second = await serve({ [TYPE_A]: [V4] });
    const answered: string[] = [];
    const servers = nameServers([await serve({ isSilent: true }), second], 1, (address) => answered.push(address));
    expect((await askForAddresses('a.test', servers, FAMILIES.v4)).addresses).toEqual([{ address: '192.0.2.1', family: 4 }]);
    expect(answered).toEqual([second]);
  });

  it('a question that is lost is asked again soon, not after five seconds', async () => {
    let questions = 0;
    const server = nameServers([await serve({ [TYPE_A]: [V4], loses: 3, asked: () => (questions += 1) })], 1);
    expect((await server('a.test', 4)).map(({ address }) => address)).toEqual(['192.0.2.1']);
    expect(questions).toBe(4);
  });

  it('an answer that there is no such host is one: it is not asked for again', async () => {
    let questions = 0;
    const server = nameServers([await serve({ [TYPE_A]: null, asked: () => (questions += 1) })]);
    await expect(server('a.test', 4)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(questions).toBe(1);
  });

  it('when none knows it, that is an error', async () => {
    const servers = nameServers([await serve({ [TYPE_A]: null, [TYPE_AAAA]: null })]);
    await expect(askForAddresses('a.test', servers, FAMILIES.both)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
