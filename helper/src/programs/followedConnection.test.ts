import fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { AnswerRepair, AnswerRepairs } from '../upstream/answerRepair.ts';
import { FollowedConnection } from './followedConnection.ts';

const ENDS = { local: { address: '192.0.2.1', port: 4_000 }, remote: { address: '2001:db8::1', port: 80 } };

/** One exchange, as it goes over the connection. */
interface Exchange {
  readonly request: string;
  readonly answer: string;
  /** Its body is the followed one's, and repaired where that is wanted. */
  readonly body: string | null;
}

const get = (path: string): string => `GET /${path} HTTP/1.1\r\nHost: a.test\r\n\r\n`;
const sized = (body: string, status = '200 OK'): string => `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const body = fc.string({ unit: fc.constantFrom('a', '\r', '\n', 'HTTP/1.1 200 OK\r\n\r\n'), minLength: 1, maxLength: 30 });
const followed = body.map((text): Exchange => ({ request: get('x'), answer: sized(text), body: text }));
const empty = fc.constantFrom<Exchange>(
  { request: get('none'), answer: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n', body: null },
  { request: get('nothing'), answer: sized('', '404 Not Found'), body: null },
);
/** Behind these nothing is looked at. */
const other = fc.constantFrom<Exchange>(
  { request: get('chunked'), answer: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n', body: null },
  { request: get('open'), answer: 'HTTP/1.1 200 OK\r\n\r\nuntil the end', body: null },
  { request: get('early'), answer: `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${sized('abc')}`, body: null },
  { request: 'HEAD / HTTP/1.1\r\nHost: a.test\r\n\r\n', answer: 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n', body: null },
  { request: 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\nGET ', answer: sized('done'), body: null },
  { request: `GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n${get('tunnelled')}`, answer: `HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n${sized('tunnelled')}`, body: null },
  { request: '\x16\x03\x01', answer: '\x16\x03\x03', body: null },
  { request: '', answer: 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\n\r\nlate', body: null },
  { request: get('torn'), answer: 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n folded\r\n\r\nabc', body: null },
);

function pieces(text: string, sizes: readonly number[]): Buffer[] {
  const all: Buffer[] = [];
  for (let at = 0, place = 0; at < text.length; place += 1) {
    const size = sizes[place % sizes.length] ?? 1;
    all.push(Buffer.from(text.slice(at, at + size), 'latin1'));
    at += size;
  }
  return all;
}

/** Notes bodies, and gives them away late. */
class NotingRepairs implements AnswerRepairs {
  readonly bodies: string[] = [];
  readonly offsets: (number | null)[] = [];

  repair(...[request, flow, sink]: Parameters<AnswerRepairs['repair']>): AnswerRepair {
    expect([request.origin, flow?.ends]).toEqual(['http://[2001:db8::1]', ENDS]);
    const held: Buffer[] = [];
    let isFirst = true;
    return {
      informed: () => undefined,
      started: () => undefined,
      data: (chunk) => {
        if (isFirst) this.offsets.push(flow?.offsetOf(chunk) ?? null);
        isFirst = false;
        held.push(chunk);
        return null;
      },
      ended: (done) => setImmediate(() => {
        this.bodies.push(Buffer.concat(held).toString('latin1'));
        for (const chunk of held) void sink.data(chunk);
        done();
      }),
      close: () => undefined,
    };
  }

  networkChanged(): void {}

  close(): void {}
}

const NO_REPAIRS: AnswerRepairs = { repair: () => null, networkChanged: () => undefined, close: () => undefined };

/** What a program gets whose connection is followed. @param isFull how often the program's side takes no more for now */
async function pass(exchanges: readonly Exchange[], sizes: readonly number[], isFull: boolean, repairs: AnswerRepairs): Promise<{ readonly got: string; readonly ends: unknown[] }> {
  const got: Buffer[] = [];
  const ends: unknown[] = [];
  const program = { data: (chunk: Buffer) => (got.push(chunk), isFull ? turn() : null), end: (error: Error | null) => void ends.push(error) };
  const connection = new FollowedConnection({ ends: ENDS, hangUp: () => undefined }, program, { repairs, open: () => Promise.reject(new Error('nothing is lost')) });
  for (const piece of pieces(exchanges.map(({ request }) => request).join(''), sizes)) connection.asked(piece);
  for (const piece of pieces(exchanges.map(({ answer }) => answer).join(''), sizes)) await connection.data(piece);
  connection.end(null);
  return { got: Buffer.concat(got).toString('latin1'), ends };
}

describe('a followed connection', () => {
  const exchanges = fc.array(fc.oneof(followed, empty), { maxLength: 5 });
  const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 });

  it('passes all bytes as they are, whatever they are, wherever they are cut', async () => {
    await fc.assert(fc.asyncProperty(exchanges, fc.array(fc.oneof(other, followed), { maxLength: 3 }), sizes, fc.boolean(), fc.boolean(), async (before, behind, cuts, isFull, isRepaired) => {
      const all = [...before, ...behind];
      expect(await pass(all, cuts, isFull, isRepaired ? new NotingRepairs() : NO_REPAIRS)).toEqual({ got: all.map(({ answer }) => answer).join(''), ends: [null] });
    }), { numRuns: 300 });
  });

  it('has each body repaired at its place in the stream, and none behind what it does not follow', async () => {
    await fc.assert(fc.asyncProperty(exchanges, other.filter(({ request }) => request !== ''), followed, sizes, async (before, stop, behind, cuts) => {
      const repairs = new NotingRepairs();
      await pass([...before, stop, behind], cuts, false, repairs);
      expect(repairs.bodies).toEqual(before.flatMap(({ body: text }) => text ?? []));
      const begins = before.map((_, place) => before.slice(0, place + 1).reduce((sum, { answer }) => sum + answer.length, 0) - (before[place]?.body?.length ?? 0));
      expect(repairs.offsets).toEqual(begins.filter((_, place) => before[place]?.body !== null));
    }), { numRuns: 100 });
  });

  it('follows no more requests at once than it keeps', async () => {
    const many = Array.from({ length: 100 }, (): Exchange => ({ request: get('x'), answer: sized('a'), body: 'a' }));
    const repairs = new NotingRepairs();
    const { got } = await pass(many, [10_000], false, repairs);
    expect([got.length, repairs.bodies.length]).toEqual([many.length * sized('a').length, 64]);
  });

  it('is hung up on, and passes nothing more, where a body is lost whose rest can not be had', async () => {
    const lossy: AnswerRepairs = {
      ...NO_REPAIRS,
      repair: (_request, _flow, _sink, host) => ({
        informed: () => undefined,
        started: () => void host.begin(),
        data: () => (host.lost(), null),
        ended: () => undefined,
        close: () => undefined,
      }),
    };
    const got: string[] = [];
    const ended = Promise.withResolvers<Error | null>();
    let hungUp = 0;
    const program = { data: (chunk: Buffer) => (got.push(chunk.toString()), null), end: ended.resolve };
    const connection = new FollowedConnection({ ends: ENDS, hangUp: () => (hungUp += 1) }, program, { repairs: lossy, open: () => Promise.reject(new Error('no way')) });
    connection.asked(Buffer.from(get('x')));
    for (const piece of ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', 'abc', 'def', 'ghi']) void connection.data(Buffer.from(piece));
    connection.end(null);
    expect(await ended.promise).toBeInstanceOf(Error);
    expect([got.join(''), hungUp]).toEqual(['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', 1]);
  });

  it('ends as its server does in the middle of a body', async () => {
    const cut: Exchange = { request: get('x'), answer: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc', body: null };
    expect(await pass([cut], [50], false, NO_REPAIRS)).toEqual({ got: cut.answer, ends: [null] });
  });
});
