import { EventEmitter } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { ImageRank } from '../../../shared/src/page/documentModel.ts';
import { RankClass } from '../../../shared/src/scheduling/rank.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import type { ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import type { BrowserSide } from './browserSide.ts';
import { exchange } from './exchange.ts';

const SPOOL = { budget: new SpoolBudget({ memory: Infinity, disk: Infinity }), directory: '', maxBytes: { memory: 1, disk: 1 } };
const PIECE = Buffer.alloc(64 * 1024);
const TARGET = { host: 'a.test', port: 443, origin: 'https://a.test', path: '/card.jpg' };

it('is ranked anew while it waits, also when the browser has asked before its place was known, and no longer when it is over', () => {
  const url = 'https://a.test/card.jpg';
  const ranks = new ObjectRanks();
  const ranked: FetchClass[] = [];
  let close = (): void => undefined;
  const browser: BrowserSide = {
    method: 'GET', fields: ['Host', 'a.test', 'sec-fetch-dest', 'image'], body: null, connection: new EventEmitter(), sink: new PassThrough(), isGone: false, stepAside: null,
    informed: () => undefined, head: () => true, trailers: () => undefined, cutOff: () => undefined, onClose: (closed) => (close = () => closed(true)),
  };
  const fetch = { rank: (fetchClass: FetchClass) => void ranked.push(fetchClass), await: () => undefined, revise: () => false, cancel: () => undefined };
  const image = (rankClass: RankClass): ImageRank => ({ url, rankClass, order: 0, pixels: null });
  exchange(browser, TARGET, { fetch: () => fetch, ranks, leave: () => Promise.resolve(false), spool: SPOOL, log: () => undefined });
  ranks.ranked([image(RankClass.inView)]);
  expect(ranked).toEqual([FetchClass.inView]);
  close();
  ranks.ranked([image(RankClass.offScreen)]);
  expect(ranked).toEqual([FetchClass.inView]);
});

it.each([
  ['GET', 'is had by a tunnel: the browser is sent there again', ['cancelled', 'left to a tunnel', '307']],
  ['POST', 'is an error, as the server has got it; later ones have a tunnel', ['cancelled', 'left to a tunnel', '502']],
])('an answer that can not be passed on, to %s, %s', (method, _, expected) => {
  const done: string[] = [];
  const browser: BrowserSide = {
    method, fields: ['Host', 'a.test'], body: null, connection: new EventEmitter(), sink: new PassThrough(), isGone: false, stepAside: () => void done.push('left to a tunnel'),
    informed: () => undefined, head: (status) => status !== 999 && done.push(String(status)) > 0, trailers: () => undefined, cutOff: () => void done.push('cut off'), onClose: () => undefined,
  };
  const sinks: ResponseSink[] = [];
  const fetch = { rank: () => undefined, await: () => undefined, revise: () => false, cancel: () => void done.push('cancelled') };
  exchange(browser, TARGET, { fetch: (_request, sink) => (sinks.push(sink), fetch), ranks: new ObjectRanks(), leave: () => Promise.resolve(false), spool: SPOOL, log: () => undefined });
  sinks[0]?.started(999, '', []);
  expect(done).toEqual(expected);
});

it.each([
  ['a page', ['Content-Type', 'text/html'], true],
  ['a film', ['Content-Type', 'Video/mp4'], false],
  ['music', ['Content-Type', 'audio/ogg; codecs=opus'], false],
  ['a camera', ['Content-Type', 'multipart/x-mixed-replace;boundary=b'], false],
  ['a download', ['Content-Type', 'application/zip', 'Content-Disposition', 'Attachment; filename=a.zip'], false],
])('of %s (%j) comes what its reader does not take yet: %s', async (_, fields, isAhead) => {
  const sinks: ResponseSink[] = [];
  const reader = new Writable({ write: () => undefined });
  const browser: BrowserSide = {
    method: 'GET', fields: ['Host', 'a.test'], body: null, connection: new EventEmitter(), sink: reader, isGone: false, stepAside: null,
    informed: () => undefined, head: () => true, trailers: () => undefined, cutOff: () => undefined, onClose: () => undefined,
  };
  const fetch = { rank: () => undefined, await: () => undefined, revise: () => false, cancel: () => undefined };
  const spool = { ...SPOOL, directory: temporaryDirectory(), maxBytes: { memory: 2 * PIECE.length, disk: 100 * PIECE.length } };
  exchange(browser, TARGET, { fetch: (_request, sink) => (sinks.push(sink), fetch), ranks: new ObjectRanks(), leave: () => Promise.resolve(false), spool, log: () => undefined });
  sinks[0]?.started(200, '', fields);
  let pieces = 0;
  const coming = (async (): Promise<void> => {
    for (; pieces < 20; pieces += 1) await sinks[0]?.data(PIECE);
  })();
  await Promise.race([coming, sleep(300)]);
  // one is with the reader, and the last one waits
  expect(pieces).toBe(isAhead ? 20 : 3);
});

describe('the body of a request', () => {
  /** @returns what was asked of the server with it, and whether the browser was cut off */
  async function askedWith(body: Readable, fields: readonly string[]): Promise<readonly [UpstreamRequest['body'] | undefined, boolean]> {
    const [asked, cut]: [UpstreamRequest[], string[]] = [[], []];
    const browser: BrowserSide = {
      method: 'POST', fields: ['Host', 'a.test', ...fields], body, connection: new EventEmitter(), sink: new PassThrough(), isGone: false, stepAside: null,
      informed: () => undefined, head: () => true, trailers: () => undefined, cutOff: () => void cut.push('cut off'), onClose: () => undefined,
    };
    const fetch = { rank: () => undefined, await: () => undefined, revise: () => false, cancel: () => undefined };
    exchange(browser, TARGET, { fetch: (request) => (asked.push(request), fetch), ranks: new ObjectRanks(), leave: () => Promise.resolve(false), spool: SPOOL, log: () => undefined });
    await expect.poll(() => asked.length + cut.length).toBe(1);
    await sleep(0);
    expect(asked.length + cut.length).toBe(1);
    return [asked[0]?.body, cut.length > 0];
  }

  it('is had whole where it says that it is short', async () => {
    expect(await askedWith(Readable.from([Buffer.from('he'), Buffer.from('llo')]), ['Content-Length', '5'])).toEqual([Buffer.from('hello'), false]);
  });

  it.each([['long', ['Content-Length', '65537']], ['of a length that it does not say', []]])('passes where it is %s', async (_, fields) => {
    const body = Readable.from([Buffer.from('hello')]);
    expect(await askedWith(body, fields)).toEqual([body, false]);
  });

  it.each([
    ['short', Readable.from([Buffer.from('hello')])],
    ['not there', null],
  ])('where it is %s, a defect of ours is an error to its request, and ends nothing else', async (_, body) => {
    const answered = Promise.withResolvers<unknown>();
    const browser: BrowserSide = {
      method: 'POST', fields: ['Host', 'a.test', 'Content-Length', '5'], body, connection: new EventEmitter(), sink: new PassThrough(), isGone: false, stepAside: null,
      informed: () => undefined, head: (status) => (answered.resolve(status), true), trailers: () => undefined, cutOff: () => answered.resolve('cut off'), onClose: () => undefined,
    };
    const logged: unknown[] = [];
    exchange(browser, TARGET, {
      fetch: () => {
        throw new TypeError('a defect');
      },
      ranks: new ObjectRanks(), leave: () => Promise.resolve(false), spool: SPOOL, log: ({ fields }) => logged.push(fields),
    });
    expect([await answered.promise, logged]).toEqual([502, [{ code: 'E_INTERNAL' }]]);
  });

  it('is asked nothing with where it was cut off', async () => {
    const broken = new PassThrough();
    broken.write('hel');
    setImmediate(() => broken.destroy(new Error('reset')));
    expect(await askedWith(broken, ['Content-Length', '5'])).toEqual([undefined, true]);
    // as Node ends a request over HTTP/2 that is reset
    expect(await askedWith(Readable.from([Buffer.from('hel')]), ['Content-Length', '5'])).toEqual([undefined, true]);
  });
});
