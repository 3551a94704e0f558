import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { NOT_TAKEN, type UpstreamConnection } from './connection.ts';
import type { Fetch } from './fetch.ts';
import type { Upstream } from './upstream.ts';

const ORIGIN = 'http://a.test';
/** Of an answer, at most; of one of so many bytes at least one less. */
const [PIECES, MIN_BYTES] = [8, 56];
/** Until all of an answer has come, be it that it is asked for twice. */
const SAID_AT_MOST = 4 * PIECES;

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** One request on a way, whose answer the test gives. */
class Asked {
  readonly fields: RawHeaders;
  isStopped = false;
  private readonly handler: Dispatcher.DispatchHandler;
  private readonly controller: Dispatcher.DispatchController;
  /** What is still to be said, the head first; null where it has ended. */
  private toCome: (Buffer | readonly [number, RawHeaders])[] | null = null;

  constructor(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    this.fields = options.headers as readonly string[];
    this.handler = handler;
    const fail = (reason: Error): void => {
      if (this.isStopped) return;
      this.isStopped = true;
      handler.onResponseError?.(this.controller, reason);
    };
    this.controller = { rawHeaders: [], rawTrailers: [], aborted: false, paused: false, reason: null, pause: () => undefined, resume: () => undefined, abort: fail };
    handler.onRequestStart?.(this.controller, {});
  }

  get isOver(): boolean {
    return this.isStopped || this.toCome?.length === 0;
  }

  get isAnswered(): boolean {
    return this.toCome !== null;
  }

  answer(status: number, fields: RawHeaders, body: Buffer): void {
    const size = Math.max(1, Math.ceil(body.length / PIECES));
    const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, place) => body.subarray(place * size, (place + 1) * size));
    // the end is told last, by itself
    this.toCome = [[status, fields], ...pieces, Buffer.alloc(0)];
  }

  /** Says what comes next of its answer. @returns whether a byte of its body was among it */
  say(): boolean {
    const next = this.isStopped ? undefined : this.toCome?.shift();
    if (next === undefined) return false;
    if (!Buffer.isBuffer(next)) {
      (this.controller as { rawHeaders: unknown }).rawHeaders = [...next[1]];
      this.handler.onResponseStart?.(this.controller, next[0], {}, '');
    } else if (next.length > 0) this.handler.onResponseData?.(this.controller, next);
    else this.handler.onResponseEnd?.(this.controller, {});
    return Buffer.isBuffer(next) && next.length > 0;
  }

  breakOff(reason = new Error('lost')): void {
    if (!this.isOver) this.controller.abort(reason);
  }
}

/** A way without a network: by the relay, which may fall silent, or directly. */
class FakeConnection implements UpstreamConnection {
  readonly id: number;
  readonly origin: string;
  readonly slots = 100;
  readonly isH2 = true;
  readonly keepsOrder: boolean;
  readonly flow = null;
  readonly isRanked = false;
  isReused = true;
  isOpen = true;
  readonly localAddress = '';
  isLostWithRelay = false;
  readonly receivedBytes = 0;
  isSilent = false;
  readonly asked: Asked[] = [];
  late: () => boolean = () => false;

  constructor(id: number, origin: string, keepsOrder: boolean) {
    [this.id, this.origin, this.keepsOrder] = [id, origin, keepsOrder];
  }

  get isBusy(): boolean {
    return this.asked.some(({ isOver }) => !isOver);
  }

  send(options: Dispatcher.DispatchOptions, answer: Dispatcher.DispatchHandler): void {
    this.asked.push(new Asked(options, answer));
  }

  onLate(late: () => boolean): void {
    this.late = late;
  }

  overtaken(): void {}
  rank(): void {}
  received(): void {}
  ended(): void {}
  check(): boolean {
    return false;
  }

  close(): void {}
  destroy(): void {}
}

interface Answer {
  heads: number;
  readonly chunks: Buffer[];
  readonly ends: string[];
}

/** Requests by a relay that the test makes silent, lost, or speak, and by whatever direct connections are made beside it. */
class Race {
  /** One for each server. */
  readonly relayed: FakeConnection[] = [];
  private readonly directs: FakeConnection[] = [];
  private isLost = false;
  private readonly upstream: Upstream;

  /** @param isReached whether there is a direct way to a server */
  constructor(isReached: (origin: string) => boolean = () => true) {
    this.upstream = testUpstream((origin, id) => {
      const isByRelay = this.relayed.every((relayed) => relayed.origin !== origin);
      if (!isByRelay && !isReached(origin)) return Promise.reject(new Error('no way'));
      const connection = new FakeConnection(id, origin, isByRelay);
      (isByRelay ? this.relayed : this.directs).push(connection);
      return Promise.resolve(connection);
    }, { tellsUrgency: false });
  }

  ask(method = 'GET', origin = ORIGIN): { readonly got: Answer; readonly fetch: Fetch } {
    const got: Answer = { heads: 0, chunks: [], ends: [] };
    const body = method === 'POST' ? Readable.from([]) : null;
    const fetch = this.upstream.fetch(requestTo(origin, { method, body }), sinkOf({
      started: () => void (got.heads += 1),
      data: (chunk) => {
        got.chunks.push(Buffer.from(chunk));
        return null;
      },
      ended: () => got.ends.push('whole'),
      failed: ({ code }) => got.ends.push(code),
    }));
    return { got, fetch };
  }

  async fallSilent(): Promise<void> {
    if (this.isLost) return;
    for (const relayed of this.relayed) relayed.isSilent = true;
    for (const relayed of this.relayed) relayed.late();
    await turn();
  }

  speak(): void {
    for (const relayed of this.relayed) relayed.isSilent = false;
  }

  async lose(): Promise<void> {
    this.isLost = true;
    this.speak();
    for (const relayed of this.relayed) [relayed.isOpen, relayed.isLostWithRelay] = [false, true];
    for (const asked of this.relayed.flatMap((relayed) => relayed.asked)) asked.breakOff();
    await turn();
  }

  /** Of the server itself. */
  get asked(): readonly Asked[] {
    return this.directs.flatMap(({ asked }) => asked);
  }

  /** The latest of these that is still open. */
  get question(): Asked | undefined {
    return this.asked.findLast(({ isOver }) => !isOver);
  }

  close(): void {
    this.upstream.close();
  }
}

function sayAll({ ends }: Answer, say: () => unknown): void {
  for (let said = 0; said < SAID_AT_MOST && ends.length === 0; said += 1) say();
}

/** As a server of parts answers, or one that has none. */
function serve(asked: Asked, body: Buffer, tag: string | null, takesRanges: boolean): void {
  const [, first] = /^bytes=(\d+)-$/.exec(valueOf(asked.fields, 'range') ?? '') ?? [];
  const fields = ['content-type', 'text/plain', ...(tag === null ? [] : ['etag', tag])];
  if (first === undefined || !takesRanges || valueOf(asked.fields, 'if-range') !== tag) asked.answer(200, fields, body);
  else asked.answer(206, [...fields, 'content-range', `bytes ${first}-${body.length - 1}/${body.length}`], body.subarray(Number(first)));
}

interface Case {
  readonly body: Buffer;
  /** What the server has now. */
  readonly now: Buffer;
  readonly tag: string | null;
  readonly saysLength: boolean;
  readonly takesRanges: boolean;
  /** How much the relay has said before it falls silent: the head, and so many pieces. */
  readonly before: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  pattern: fc.uint8Array({ minLength: 1, maxLength: 50 }), length: fc.integer({ min: MIN_BYTES, max: 2_000 }), tag: fc.constantFrom(null, '"a"', 'W/"a"'), saysLength: fc.boolean(), takesRanges: fc.boolean(),
  before: fc.integer({ min: 1, max: PIECES - 1 }), changeAt: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }) }),
}).map(({ pattern, length, changeAt, ...others }) => {
  const body = Buffer.alloc(length, Buffer.from(pattern));
  const now = Buffer.from(body);
  // at its end as well, so that no mixture is one of the two
  for (const place of changeAt === null ? [] : new Set([Math.floor(changeAt * length), length - 1])) now.writeUInt8(now.readUInt8(place) ^ 1, place);
  return { body, now, ...others };
});

/** One request whose relay has said some of the answer, and is silent since. */
async function begin({ body, tag, saysLength, before }: Case): Promise<{ readonly race: Race; readonly got: Answer; readonly fetch: Fetch; readonly relayed: Asked }> {
  const race = new Race();
  const { got, fetch } = race.ask();
  await turn();
  const relayed = race.relayed[0]?.asked[0];
  if (relayed === undefined) throw new Error('not asked');
  relayed.answer(200, ['content-type', 'text/plain', ...(tag === null ? [] : ['etag', tag]), ...(saysLength ? ['content-length', String(body.length)] : [])], body);
  for (let said = 0; said < before; said += 1) relayed.say();
  await race.fallSilent();
  return { race, got, fetch, relayed };
}

type Step = 'relay says' | 'server says' | 'relay is silent again' | 'relay gives it back' | 'relay is lost' | 'server breaks off';

it('whoever speaks when, an answer that is raced is that of one server, each byte once, and lost by neither way alone', async () => {
  const steps = fc.array(fc.constantFrom<Step>('relay says', 'server says', 'server says', 'relay is silent again', 'relay gives it back', 'relay is lost', 'server breaks off'), { maxLength: 30 });
  await fc.assert(fc.asyncProperty(cases, steps, fc.boolean(), async (of, order, isBackInTheEnd) => {
    const { body, now, tag, takesRanges } = of;
    const { race, got, relayed } = await begin(of);
    let [isLost, brokenOff] = [false, false];
    const serverSays = (): void => {
      const { question } = race;
      if (question?.isAnswered === false) serve(question, now, body.equals(now) ? tag : '"b"', takesRanges);
      question?.say();
    };
    for (const step of order) {
      if (step === 'server says') serverSays();
      else if (step === 'relay is silent again') await race.fallSilent();
      else if (step === 'server breaks off') {
        brokenOff ||= race.question !== undefined;
        race.question?.breakOff();
      } else if (step === 'relay gives it back') {
        isLost = true;
        relayed.breakOff(NOT_TAKEN);
      } else if (step === 'relay is lost') {
        isLost = true;
        await race.lose();
      } else if (!isLost) {
        race.speak();
        relayed.say();
      }
      await turn();
    }
    if (isBackInTheEnd && !isLost) race.speak();
    else await race.lose();
    for (let said = 0; said < SAID_AT_MOST && got.ends.length === 0; said += 1) {
      relayed.say();
      serverSays();
      await turn();
    }
    const came = Buffer.concat(got.chunks);
    expect([got.heads, got.ends.length]).toEqual([1, 1]);
    if (got.ends[0] === 'whole') expect([hashOf(body), hashOf(now)]).toContain(hashOf(came));
    else expect([body, now].some((each) => each.subarray(0, came.length).equals(came))).toBe(true);
    // a server that answers as before loses nothing, and nor does a relay that comes back
    if ((body.equals(now) && !brokenOff) || (isBackInTheEnd && !isLost && order.every((step) => step !== 'server says'))) expect(got.ends).toEqual(['whole']);
    race.close();
  }), { numRuns: 300 });
});

it('the first that brings what comes next goes on, and the other one is stopped', async () => {
  await fc.assert(fc.asyncProperty(cases.filter(({ body, now }) => body.equals(now)), fc.boolean(), fc.nat(3), async (of, isRelayFirst, heard) => {
    const { race, got, relayed } = await begin(of);
    const before = Buffer.concat(got.chunks).length;
    const length = (): number => Buffer.concat(got.chunks).length;
    const direct = (): Asked => {
      const { question } = race;
      if (question === undefined) throw new Error('nothing was asked for directly');
      if (!question.isAnswered) serve(question, of.now, of.tag, of.takesRanges);
      return question;
    };
    for (let said = 0; said < heard && length() === before; said += 1) direct().say();
    // the direct way may be ahead by then
    const wasAhead = length() > before;
    if (isRelayFirst && !wasAhead) {
      const rival = direct();
      relayed.say();
      expect([length() > before, rival.isStopped, relayed.isStopped]).toEqual([true, true, false]);
    } else {
      for (let said = 0; said < SAID_AT_MOST && length() === before; said += 1) direct().say();
      expect([relayed.isStopped, race.question?.isStopped ?? false]).toEqual([true, false]);
    }
    sayAll(got, () => (isRelayFirst && !wasAhead ? relayed : direct()).say());
    expect([got.ends, got.heads, hashOf(Buffer.concat(got.chunks))]).toEqual([['whole'], 1, hashOf(of.body)]);
    race.close();
  }), { numRuns: 100 });
});

const BODY = Buffer.from('what has come, and then the rest');
const PLAIN: Case = { body: BODY, now: BODY, tag: null, saysLength: true, takesRanges: false, before: 4 };
const isBody = ({ chunks }: Answer): boolean => Buffer.concat(chunks).equals(BODY);

it('what only comes again is given up as soon as the relay has spoken, be it of something else', async () => {
  const { race, got, relayed } = await begin(PLAIN);
  const { question } = race;
  if (question === undefined) throw new Error('not raced');
  serve(question, BODY, null, false);
  question.say();
  question.say();
  expect(question.isStopped).toBe(false);
  race.speak();
  question.say();
  expect([question.isStopped, relayed.isStopped]).toEqual([true, false]);
  sayAll(got, () => relayed.say());
  expect([got.ends, isBody(got)]).toEqual([['whole'], true]);
});

it('an answer is raced once: a relay that falls silent again is waited for, or given up', async () => {
  const { race, got, relayed } = await begin(PLAIN);
  relayed.say();
  await race.fallSilent();
  expect([race.question, race.asked.length]).toEqual([undefined, 1]);
  await race.lose();
  const { question } = race;
  if (question === undefined) throw new Error('not gone on with');
  serve(question, BODY, null, false);
  sayAll(got, () => question.say());
  expect([got.ends, isBody(got)]).toEqual([['whole'], true]);
});

it.each([['one', 1], ['one of two servers', 2]])('where %s can not be reached the relay is waited for', async (_case, servers) => {
  const race = new Race((origin) => origin !== ORIGIN);
  const { got } = race.ask();
  if (servers > 1) race.ask('GET', 'http://b.test');
  await turn();
  const relayed = race.relayed.flatMap(({ asked }) => asked);
  for (const asked of relayed) asked.answer(200, [], BODY);
  for (let said = 0; said < 3; said += 1) for (const asked of relayed) asked.say();
  await race.fallSilent();
  expect([got.ends, race.asked.length]).toEqual([[], servers - 1]);
  sayAll(got, () => relayed[0]?.say());
  expect([got.ends, isBody(got)]).toEqual([['whole'], true]);
});

it('a form is asked for by nobody else, and nothing at all where only the end is missing', async () => {
  const race = new Race();
  const [form, whole] = [race.ask('POST'), race.ask()];
  await turn();
  const relayed = race.relayed.flatMap(({ asked }) => asked);
  for (const [place, asked] of relayed.entries()) {
    asked.answer(200, ['content-length', String(BODY.length)], BODY);
    for (let said = 0; said < (place === 0 ? 2 : 1 + PIECES); said += 1) asked.say();
  }
  expect([form.got.ends, whole.got.ends]).toEqual([[], []]);
  await race.fallSilent();
  expect([form.got.ends, whole.got.ends, race.asked]).toEqual([[], ['whole'], []]);
  await race.lose();
  expect([form.got.ends, race.asked]).toEqual([['E_UPSTREAM'], []]);
});

it('what nobody wants any more is stopped on both ways', async () => {
  const { race, fetch, relayed } = await begin(PLAIN);
  const { question } = race;
  fetch.cancel();
  expect([question?.isStopped, relayed.isStopped]).toEqual([true, true]);
});
