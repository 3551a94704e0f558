import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { seededRandom, type Random } from '../../../shared/src/statistics/random.ts';
import { DriverConnection } from '../driver/driverConnection.ts';
import { DriverLink } from '../driver/driverLink.ts';
import { RepairedFlow } from '../driver/repairedFlow.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import { FillingDriver, refusal, type FillingTerms } from '../testing/fillingDriver.ts';
import { IMPATIENCE_MS, bodyOf, startFilledServer, tagged, type FilledServer } from '../testing/filledServer.ts';
import { openLocally } from '../testing/loopback.ts';
import { rangedAnswer, type RangedRequest } from '../testing/rangedServer.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import type { OpenConnection } from '../upstream/connection.ts';
import { DirectConnection } from '../upstream/directConnection.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { FlowDriver } from './repairedAnswer.ts';
import { Repairs } from './repairs.ts';

const LENGTH = 60_000;
/** Of no test but those of time limits: how long nothing may come. */
const LIMITS = { questionMs: 1, waitMs: 1, retryMs: 5, silenceMs: 5_000, holeMs: 20_000 };
/** After which what is read has been. */
const SETTLED_MS = 50;
const TRANSFERS = 1_000;
const AT_ONCE = 10;

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

interface Client {
  readonly upstream: Upstream;
  /** Why rests were fetched anew. */
  readonly reasons: readonly unknown[];
  /** In the order of their opening. */
  readonly connections: readonly DirectConnection[];
}

function upstreamOf({ server }: FilledServer, driver: FlowDriver, limits = LIMITS): Client {
  const connections: DirectConnection[] = [];
  const open: OpenConnection = async (origin, id, onClosed) => {
    const connection = new DirectConnection(id, origin, await openLocally(server.port), onClosed);
    connections.push(connection);
    return connection;
  };
  const reasons: unknown[] = [];
  const upstream = testUpstream(open, {
    repairs: new Repairs({ driver, open, now: () => performance.now(), log: ({ fields }) => void reasons.push(fields?.['reason']), limits, minBytes: 5_000 }),
  });
  return { upstream, reasons, connections };
}

interface Loaded {
  readonly how: string;
  readonly body: Buffer;
  readonly heads: number;
}

/** A body that has come as a whole, behind one head. */
const wholeOf = (body: Buffer): object => ({ how: 'whole', hash: sha(body), heads: 1 });
const summed = ({ how, body, heads }: Loaded): object => ({ how, hash: sha(body), heads });

/** @param take called for each piece; a promise holds the next up */
async function load(upstream: Upstream, changes: Partial<UpstreamRequest> = {}, take: (passed: number) => Promise<void> | null = () => null): Promise<Loaded> {
  const chunks: Buffer[] = [];
  let heads = 0;
  let passed = 0;
  const how = await new Promise<string>((resolve) => {
    upstream.fetch(requestTo('http://a.test', { fetchClass: FetchClass.layout, ...changes }), sinkOf({
      started: () => (heads += 1),
      data: (chunk) => {
        // as a spool that keeps it: what it is now is what counts
        chunks.push(Buffer.from(chunk));
        passed += chunk.length;
        return take(passed);
      },
      ended: () => resolve('whole'),
      failed: ({ code }) => resolve(code),
    }));
  });
  return { how, body: Buffer.concat(chunks), heads };
}

let directory: string;
let driver: FillingDriver;
let link: DriverLink;
let at: FilledServer;
let path: string;

async function begin(terms: FillingTerms): Promise<void> {
  directory = temporaryDirectory();
  path = join(directory, 'driver.sock');
  driver = new FillingDriver(path, terms);
  link = new DriverLink({ path, processId: process.pid, spool: spoolOf(directory), log: () => undefined, againMs: 5 });
  await expect.poll(() => link.canRepair).toBe(true);
}

async function end(): Promise<void> {
  link.close();
  await driver.close();
}

describe('an answer whose losses the driver fills', () => {
  const random = seededRandom(7);
  const original = bodyOf(LENGTH, random);
  let upstream: Upstream;
  let reasons: Client['reasons'];
  let connections: Client['connections'];
  const restart = (limits: Partial<typeof LIMITS>): void => {
    upstream.close();
    ({ upstream, reasons, connections } = upstreamOf(at, link, { ...LIMITS, ...limits }));
  };
  beforeEach(async () => {
    await begin({ random, lossRate: 0.2, lateRate: 0 });
    at = await startFilledServer(driver, tagged(original));
    ({ upstream, reasons, connections } = upstreamOf(at, link));
  });
  afterEach(async () => {
    upstream.close();
    await at.server.close();
    await end();
  });
  const isSide = ({ range, ifRange }: RangedRequest): boolean => ifRange !== null && range?.endsWith('-') === false;
  /** Of the probe's requests there are as many as needed; what follows repairs. */
  let sides = 0;
  const onRepair = (fault: (socket: Socket, request: RangedRequest) => void): void => {
    sides = 0;
    at.fault = (request, socket) => {
      if (!isSide(request) || (sides += 1) < 2) return false;
      fault(socket, request);
      return true;
    };
  };

  /** Far more than has come when its first hole is asked for. */
  const largeFile = (): Buffer => {
    const body = Buffer.alloc(9 * 1024 * 1024, original);
    at.file = tagged(body);
    driver.terms = { ...driver.terms, lossRate: 0.002 };
    return body;
  };
  /** When the first hole is asked for. */
  const onFirstRepair = (act: () => void): void => {
    sides = 0;
    at.fault = (request) => {
      if (isSide(request) && (sides += 1) === 2) act();
      return false;
    };
  };

  it('is the original, with what is missing asked for several ranges at a time', async () => {
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect(driver.filled).toBeGreaterThan(0);
    expect(at.asked.some(({ range }) => range?.includes(',') === true)).toBe(true);
    expect(at.asked.filter(({ range }) => range === null)).toHaveLength(1);
    await expect.poll(() => driver.repaired).toBe(1);
  });

  it('is the original of each answer on a connection that carries several', async () => {
    for (let i = 0; i < 3; i += 1) expect(summed(await load(upstream))).toEqual(wholeOf(original));
    // one for the answers, one beside it
    expect(new Set(at.asked.map(({ connection }) => connection)).size).toBe(2);
    await expect.poll(() => driver.repaired).toBe(3);
  });

  it('asks for one range at a time where the server gives several for none', async () => {
    at.isMultipart = false;
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect(at.asked.filter(({ range }) => range?.includes(',') === true)).toHaveLength(1);
    expect(driver.filled).toBeGreaterThan(0);
  });

  it('needs no request for what comes late', async () => {
    driver.terms = { ...driver.terms, lateRate: 1 };
    restart({ waitMs: 200 });
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect(driver.late).toBeGreaterThan(0);
    expect(at.asked).toHaveLength(2);
  });

  it('is repaired where it is a part that the browser asks for', async () => {
    const headers = ['host', 'a.test', 'range', 'bytes=1000-50999'];
    expect(summed(await load(upstream, { headers }))).toEqual(wholeOf(original.subarray(1_000, 51_000)));
    expect(driver.filled).toBeGreaterThan(0);
  });

  it('is repaired by a date that is old enough', async () => {
    const modified = 'Thu, 01 Jan 2026 00:00:00 GMT';
    at.file = { body: original, fields: `Last-Modified: ${modified}\r\nDate: Thu, 01 Jan 2026 00:02:00 GMT\r\n`, validator: modified };
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect(driver.filled).toBeGreaterThan(0);
  });

  it('waits while its taker takes no more', async () => {
    const loaded = await load(upstream, {}, (passed) => (passed % 3 === 0 ? sleep(1) : null));
    expect(summed(loaded)).toEqual(wholeOf(original));
    expect(driver.filled).toBeGreaterThan(0);
  });

  it('is not read on while more than 4 MiB wait for a hole', async () => {
    const large = largeFile();
    const answers: (() => void)[] = [];
    onRepair((socket, request) => {
      const { head, body } = rangedAnswer(request, at.file, true);
      answers.push(() => socket.write(Buffer.concat([Buffer.from(head), body])));
    });
    const loading = load(upstream);
    await expect.poll(() => connections[0]?.receivedBytes).toBeGreaterThan(4 * 1024 * 1024);
    const readBytes = (): number => connections[0]?.receivedBytes ?? 0;
    await expect.poll(async () => {
      const before = readBytes();
      await sleep(SETTLED_MS);
      return readBytes() - before;
    }).toBe(0);
    expect(readBytes()).toBeLessThan(large.length - 64 * 1024);
    at.fault = () => false;
    for (const answer of answers) answer();
    expect(summed(await loading)).toEqual(wholeOf(large));
  });

  it('is repaired where its server closes the connection behind it', async () => {
    at.file = { ...at.file, fields: `${at.file.fields}Connection: close\r\n` };
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect([driver.filled > 5, reasons]).toEqual([true, []]);
  });

  it.each<[string, () => void]>([
    ['says that it has no ranges', () => (at.file = { ...at.file, fields: `${at.file.fields}Accept-Ranges: none\r\n` })],
    ['gives none', () => (at.file = { ...at.file, validator: null })],
    ['has no validator', () => (at.file = { body: original, fields: '', validator: '' })],
    ['has a weak one', () => (at.file = tagged(original, 'W/"a"'))],
    ['codes it', () => (at.file = { ...at.file, fields: `${at.file.fields}Content-Encoding: gzip\r\n` })],
    ['gives the address once', () => (at.fault = (request, socket) => request.connection > 0 && socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'))],
    ['gives other bytes beside', () => (at.fault = (request, socket) => request.connection > 0 && socket.write('HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-0/60000\r\nContent-Length: 1\r\n\r\n\xff', 'latin1'))],
    ['takes no second connection', () => (at.fault = (request, socket) => request.connection > 0 && socket.destroy().destroyed)],
    ['has little', () => (at.file = tagged(original.subarray(0, 4_000)))],
  ])('is left to TCP where its server %s', async (_, change) => {
    at.patienceMs = IMPATIENCE_MS;
    change();
    expect(summed(await load(upstream))).toEqual(wholeOf(at.file.body));
    expect(driver.filled).toBe(0);
  });

  it('is left to TCP where what its server gives to compare has no end, and the connection for that is not kept', async () => {
    at.patienceMs = IMPATIENCE_MS;
    restart({ silenceMs: 200 });
    let isLeft = false;
    at.fault = (request, socket) => {
      if (!isSide(request)) return false;
      socket.write('HTTP/1.1 206 Partial Content\r\nETag: "a"\r\nContent-Type: multipart/byteranges; boundary=PART\r\n\r\n');
      const drip = setInterval(() => socket.write(`--PART\r\nContent-Range: bytes 0-0/${LENGTH}\r\n\r\nx\r\n`), 20);
      socket.once('close', () => {
        clearInterval(drip);
        isLeft = true;
      });
      return true;
    };
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    await expect.poll(() => isLeft).toBe(true);
    expect(driver.filled).toBe(0);
  });

  it('is left to TCP where the driver can not fill losses of this connection, which is asked once', async () => {
    let repairs = 0;
    at.patienceMs = IMPATIENCE_MS;
    driver.terms = { ...driver.terms, fault: (type) => (type === 'repair' && (repairs += 1) > 0 ? refusal('E_DRIVER_UNSUPPORTED') : null) };
    for (let i = 0; i < 2; i += 1) expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect([repairs, driver.filled, reasons]).toEqual([1, 0, []]);
  });

  it.each<[string, string, () => void]>([
    ['the driver is killed before it answers', 'driver', () => (driver.terms = { ...driver.terms, fault: (type) => (type === 'repair' ? 'die' : null) })],
    ['the driver is killed with holes that it has not told', 'driver', () => (driver.terms = { ...driver.terms, fault: (type) => (type === 'holes' ? 'die' : null) })],
    ['the driver knows the connection no more', 'driver', () => (driver.terms = { ...driver.terms, fault: (type) => (type === 'holes' ? refusal('E_DRIVER_GONE') : null) })],
    ['the driver tells nothing new', 'told', () => (driver.terms = { ...driver.terms, fault: (type) => (type === 'holes' ? { type: 'ok', payload: { through: 0, holes: [], late: [], reason: null } } : null) })],
    ['the driver talks nonsense', 'driver', () => (driver.terms = { ...driver.terms, fault: (type) => (type === 'holes' ? { type: 'ok', payload: { through: -1 } } : null) })],
    ['the server gives all of it for a range', 'refused', () => onRepair((socket) => socket.write(`HTTP/1.1 200 OK\r\nETag: "a"\r\nContent-Length: ${LENGTH}\r\n\r\n`))],
    ['the range is not there any more', 'refused', () => onRepair((socket) => socket.write('HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n'))],
    ['another range comes', 'refused', () => onRepair((socket) => socket.write('HTTP/1.1 206 Partial Content\r\nETag: "a"\r\nContent-Range: bytes 0-9/60000\r\nContent-Length: 10\r\n\r\n0123456789'))],
    ['a range of something longer comes', 'refused', () => onRepair((socket, { range }) => socket.write(`HTTP/1.1 206 Partial Content\r\nETag: "a"\r\nContent-Range: bytes ${range?.split(',')[0]}/60001\r\nContent-Length: 1\r\n\r\n0`))],
    ['a range of another tag comes', 'refused', () => onRepair((socket, { range }) => socket.write(`HTTP/1.1 206 Partial Content\r\nETag: "b"\r\nContent-Range: bytes ${range?.split(',')[0]}/60000\r\nContent-Length: 1\r\n\r\n0`))],
    ['a range without a tag comes', 'refused', () => onRepair((socket, request) => {
      const { head, body } = rangedAnswer(request, { ...at.file, fields: '' }, true);
      socket.write(Buffer.concat([Buffer.from(head), body]));
    })],
    ['who repairs is gone', 'refused', () => onRepair((socket) => socket.resetAndDestroy())],
    ['who repairs can not now', 'refused', () => onRepair((socket) => socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'))],
  ])('has its rest fetched anew where %s', async (_, reason, change) => {
    change();
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect(reasons).toEqual([reason]);
    expect(at.asked.filter(({ range, ifRange }) => range?.endsWith('-') === true && ifRange === '"a"')).toHaveLength(1);
  });

  it('has its rest fetched anew where something fails as its losses begin to be filled', async () => {
    upstream.close();
    const failing: FlowDriver = {
      canRepair: true,
      repair: async (ends, upTo) => {
        const flow = await link.repair(ends, upTo);
        return {
          get from(): number {
            throw new Error('not known');
          },
          holes: (offset) => flow.holes(offset),
          close: () => flow.close(),
        };
      },
    };
    ({ upstream, reasons } = upstreamOf(at, failing));
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect([driver.filled > 0, reasons]).toEqual([true, ['driver']]);
    await expect.poll(() => driver.repaired).toBe(1);
  });

  it.each<[string, Partial<typeof LIMITS>]>([
    ['whoever repairs says nothing', { silenceMs: 300 }],
    ['a hole holds it up for too long', { holeMs: 40 }],
  ])('has its rest fetched anew where %s', async (_, limits) => {
    restart(limits);
    onRepair(() => undefined);
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect(reasons).toEqual([limits.holeMs === undefined ? 'refused' : 'stalled']);
  });

  it('goes on with the next request where one is reset in its middle', async () => {
    onRepair((socket, request) => {
      const { head, body } = rangedAnswer(request, at.file, true);
      if (sides === 2) socket.write(Buffer.concat([Buffer.from(head), body.subarray(0, body.length / 2)]), () => socket.resetAndDestroy());
      else socket.write(Buffer.concat([Buffer.from(head), body]));
    });
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect([sides > 2, reasons]).toEqual([true, []]);
  });

  it('breaks off with no wrong byte where it has changed meanwhile', async () => {
    onFirstRepair(() => (at.file = tagged(bodyOf(LENGTH, random), '"b"')));
    const { how, body } = await load(upstream);
    expect([how, body.equals(original.subarray(0, body.length)), body.length < LENGTH]).toEqual(['E_UPSTREAM', true, true]);
  });

  it('breaks off with no wrong byte where a part that the browser has asked for has changed', async () => {
    onRepair((socket) => socket.write('HTTP/1.1 200 OK\r\nETag: "b"\r\nContent-Length: 1\r\n\r\nx'));
    const { how, body } = await load(upstream, { headers: ['host', 'a.test', 'range', 'bytes=0-'] });
    expect([how, body.equals(original.subarray(0, body.length))]).toEqual(['E_UPSTREAM', true]);
  });

  it('is whole where the machine is in another network that keeps its connections', async () => {
    onFirstRepair(() => upstream.networkChanged(() => true));
    expect(summed(await load(upstream))).toEqual(wholeOf(original));
    expect(sides).toBeGreaterThan(1);
  });

  it('breaks off with no wrong byte where its connection is lost with the network', async () => {
    const large = largeFile();
    onFirstRepair(() => upstream.networkChanged(() => false));
    const { how, body } = await load(upstream);
    expect([how, body.equals(large.subarray(0, body.length))]).toEqual(['E_UPSTREAM', true]);
  });

  it('is given up with its request, and the driver told so', async () => {
    onRepair(() => undefined);
    const fetch = upstream.fetch(requestTo('http://a.test', { fetchClass: FetchClass.layout }), sinkOf());
    await expect.poll(() => sides).toBeGreaterThan(1);
    fetch.cancel();
    await expect.poll(() => driver.repaired).toBe(1);
  });
});

describe('whatever happens', () => {
  const FAULTS: readonly [string, (random: Random, one: FilledServer) => void][] = [
    ['none', () => undefined],
    ['single ranges', (_random, one) => void (one.isMultipart = false)],
    ['killed driver', (random, one) => {
      const asked = Math.floor(random() * 12);
      one.driver.terms = { ...one.driver.terms, fault: (_type, count) => (count >= asked ? 'die' : null) };
    }],
    ['driver that forgets', (random, one) => {
      one.driver.terms = { ...one.driver.terms, fault: (type) => (type === 'holes' && random() < 0.1 ? refusal('E_DRIVER_GONE') : null) };
    }],
    ['changed file', (random, one) => {
      const asked = 1 + Math.floor(random() * 5);
      const changed = tagged(Buffer.from(one.file.body).reverse(), '"b"');
      one.fault = () => {
        if (one.asked.length > asked) one.file = changed;
        return false;
      };
    }],
    ['resets', (random, one) => {
      one.fault = (request, socket) => {
        if (request.connection === 0 || random() < 0.7) return false;
        const { head, body } = rangedAnswer(request, one.file, true);
        const answer = Buffer.concat([Buffer.from(head), body]);
        socket.write(answer.subarray(0, Math.floor(random() * answer.length)), () => socket.resetAndDestroy());
        return true;
      };
    }],
    ['lost connection', (random, one) => {
      one.fault = (request, socket) => {
        if (request.connection === 0) setTimeout(() => socket.resetAndDestroy(), random() * 8);
        return false;
      };
    }],
    ['other answers', (random, one) => {
      const answers = ['200 OK\r\nETag: "a"\r\n', '416 Range Not Satisfiable\r\n', '503 Service Unavailable\r\n', '206 Partial Content\r\nETag: "a"\r\nContent-Range: bytes 5-9/77\r\n', '206 Partial Content\r\nETag: "b"\r\nContent-Range: bytes 0-4/99999\r\n'];
      one.fault = (request, socket) => request.connection > 0 && random() < 0.4 && socket.write(`HTTP/1.1 ${answers[Math.floor(random() * answers.length)]}Content-Length: 5\r\n\r\nxxxxx`);
    }],
  ];

  const FAULTLESS = ['none', 'single ranges'];

  it(`each of ${TRANSFERS} bodies is right, or breaks off with an error and no wrong byte`, async () => {
    const ended: Record<string, Record<string, number>> = {};
    let filled = 0;
    const all = bodyOf(100_000, seededRandom(0));
    const transfer = async (seed: number): Promise<void> => {
      const random = seededRandom(seed);
      const first = Math.floor(random() * 50_000);
      const body = all.subarray(first, first + 11_000 + Math.floor(random() * 20_000));
      const [name, fault] = FAULTS[seed % FAULTS.length] ?? ['none', () => undefined];
      const path = join(directory, `${seed}.sock`);
      const ownDriver = new FillingDriver(path, { random, lossRate: random() * 0.3, lateRate: random() });
      const connection = await DriverConnection.open(path);
      const own: FlowDriver = { canRepair: true, repair: (ends, end) => RepairedFlow.open(connection, ends, end) };
      const one = await startFilledServer(ownDriver, tagged(body));
      const isFaultless = FAULTLESS.includes(name);
      if (!isFaultless) one.patienceMs = IMPATIENCE_MS;
      fault(random, one);
      const { upstream } = upstreamOf(one, own);
      const { how, body: come } = await load(upstream, seed % 5 === 0 ? { headers: ['host', 'a.test', 'range', 'bytes=0-'] } : {});
      expect([seed, sha(come)]).toEqual([seed, sha(body.subarray(0, come.length))]);
      expect([seed, how !== 'whole' || come.length === body.length]).toEqual([seed, true]);
      expect([seed, ['whole', 'E_UPSTREAM', 'E_CONNECT'].includes(how)]).toEqual([seed, true]);
      ended[name] = { ...ended[name], [how]: (ended[name]?.[how] ?? 0) + 1 };
      if (isFaultless) filled += ownDriver.filled;
      upstream.close();
      connection.close();
      await Promise.all([one.server.close(), ownDriver.close()]);
    };
    directory = temporaryDirectory();
    let next = 0;
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      while (next < TRANSFERS) await transfer(next++);
    }));
    // each fault was met, and where nothing but losses was wrong everything came
    expect(Object.keys(ended)).toHaveLength(FAULTS.length);
    for (const name of FAULTLESS) expect(ended[name]).toEqual({ whole: TRANSFERS / FAULTS.length });
    expect(filled).toBeGreaterThan(FAULTLESS.length * (TRANSFERS / FAULTS.length));
  });
});
