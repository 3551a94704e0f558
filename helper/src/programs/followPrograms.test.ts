import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { seededRandom } from '../../../shared/src/statistics/random.ts';
import { DriverLink } from '../driver/driverLink.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import { FillingDriver, refusal, type FillingTerms } from '../testing/fillingDriver.ts';
import { IMPATIENCE_MS, bodyOf, startFilledServer, tagged, type FilledServer } from '../testing/filledServer.ts';
import { rangedAnswer, type RangedRequest } from '../testing/rangedServer.ts';
import { followPrograms } from './followPrograms.ts';

const LENGTH = 60_000;
const LIMITS = { questionMs: 1, waitMs: 1, retryMs: 5, silenceMs: 5_000, holeMs: 20_000 };
const GET = 'GET /a HTTP/1.1\r\nHost: a.test\r\n\r\n';

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('what a program loads through the spool', () => {
  const random = seededRandom(11);
  const original = bodyOf(LENGTH, random);
  let directory: string;
  let driver: FillingDriver;
  let at: FilledServer;
  let link: DriverLink;
  let reasons: unknown[];

  beforeEach(async () => {
    directory = temporaryDirectory();
    const path = join(directory, 'driver.sock');
    driver = new FillingDriver(path, { random, lossRate: 0.2, lateRate: 0.2 });
    at = await startFilledServer(driver, tagged(original));
    change({ meant: at.server.port });
    reasons = [];
    const log: LogSink = ({ fields }) => {
      if (fields?.['reason'] !== undefined) reasons.push(fields['reason']);
    };
    link = new DriverLink({
      path, processId: process.pid, spool: spoolOf(directory), log, againMs: 5,
      following: (of) => Promise.resolve(followPrograms({ driver: of, now: () => performance.now(), log, limits: LIMITS, minBytes: 5_000 })),
    });
    await expect.poll(() => driver.spoolPort).not.toBeNull();
  });
  afterEach(async () => {
    link.close();
    await at.server.close();
    await driver.close();
  });

  const change = (terms: Partial<FillingTerms>): void => void (driver.terms = { ...driver.terms, ...terms });
  const isSide = ({ range, ifRange }: RangedRequest): boolean => ifRange !== null && range?.endsWith('-') === false;
  const onRepair = (fault: (socket: Socket) => void): void => {
    let sides = 0;
    at.fault = (request, socket) => {
      if (!isSide(request) || (sides += 1) < 2) return false;
      fault(socket);
      return true;
    };
  };
  const headOf = (): string => rangedAnswer({ connection: 0, range: null, ifRange: null }, at.file, true).head;

  /** What comes of what a program asks for at once: until so much is there, or its connection ends. */
  async function load(requests: string, bytes: number): Promise<{ readonly got: Buffer; readonly end: 'open' | 'ended' | 'cut off' }> {
    const program = createConnection({ host: '127.0.0.1', port: driver.spoolPort ?? 0 });
    const chunks: Buffer[] = [];
    let length = 0;
    const enough = Promise.withResolvers<'open'>();
    program.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= bytes) enough.resolve('open');
    });
    const ended = once(program, 'end').then(() => 'ended' as const, () => 'cut off' as const);
    program.write(requests);
    const end = await Promise.race([enough.promise, ended]);
    program.destroy();
    return { got: Buffer.concat(chunks), end };
  }

  const whole = (times = 1): Buffer => Buffer.concat(Array.from({ length: times }, () => Buffer.concat([Buffer.from(headOf()), original])));
  const loadWhole = async (requests = GET, times = 1): Promise<void> => {
    const { got } = await load(requests, whole(times).length);
    expect([got.length, sha(got)]).toEqual([whole(times).length, sha(whole(times))]);
  };

  it('is the original, with its losses repaired', async () => {
    await loadWhole();
    expect([driver.filled > 5, at.asked.some(isSide), reasons]).toEqual([true, true, []]);
    await expect.poll(() => driver.repaired).toBe(1);
  });

  it('is the original where several are asked for at once', async () => {
    await loadWhole(GET.repeat(3), 3);
    expect([driver.filled > 5, reasons]).toEqual([true, []]);
  });

  it('is the original where the rest has to be fetched anew, and its connection ends behind it', async () => {
    onRepair((socket) => socket.write('HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n'));
    const { got, end } = await load(GET, Infinity);
    expect([sha(got), end, reasons]).toEqual([sha(whole()), 'ended', ['refused']]);
    expect(at.asked.filter(({ range, ifRange }) => range?.endsWith('-') === true && ifRange === '"a"')).toHaveLength(1);
  });

  it('is the original where a program asks for a part itself', async () => {
    const { head, body } = rangedAnswer({ connection: 0, range: '1000-50999', ifRange: null }, at.file, true);
    const expected = Buffer.concat([Buffer.from(head), body]);
    const { got } = await load('GET /a HTTP/1.1\r\nHost: a.test\r\nRange: bytes=1000-50999\r\n\r\n', expected.length);
    expect([sha(got), driver.filled > 0]).toEqual([sha(expected), true]);
  });

  it('breaks off with no wrong byte where it has changed meanwhile', async () => {
    onRepair((socket) => {
      at.file = tagged(bodyOf(LENGTH, random), '"b"');
      socket.write('HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\n\r\n');
    });
    const expected = whole();
    const { got, end } = await load(GET, Infinity);
    expect([end, got.length < expected.length, got.equals(expected.subarray(0, got.length))]).toEqual(['cut off', true, true]);
  });

  it.each<[string, () => void]>([
    ['its connection is lost', () => {
      const connections: Socket[] = [];
      at.fault = (request, socket) => {
        connections.push(socket);
        if (isSide(request) && driver.filled > 0) connections[0]?.resetAndDestroy();
        return false;
      };
    }],
    ['the driver is killed', () => change({ fault: (type) => (type === 'holes' && driver.filled > 2 ? 'die' : null) })],
  ])('breaks off with no wrong byte where %s with holes open', async (_, arrange) => {
    arrange();
    const { got, end } = await load(GET, Infinity);
    expect([driver.filled > 0, end === 'open', got.equals(whole().subarray(0, got.length))]).toEqual([true, false, true]);
  });

  it.each<[string, () => void]>([
    ['the server gives no ranges', () => (at.file = { ...at.file, validator: null })],
    ['it has no validator', () => (at.file = { body: original, fields: '', validator: '' })],
    ['the driver can fill none', () => change({ fault: (type) => (type === 'repair' ? refusal('E_DRIVER_UNSUPPORTED') : null) })],
  ])('is whole, and nothing is filled, where %s', async (_, arrange) => {
    at.patienceMs = IMPATIENCE_MS;
    arrange();
    await loadWhole();
    expect(driver.filled).toBe(0);
  });

  it.each([
    ['HEAD', 'HEAD /a HTTP/1.1\r\nHost: a.test\r\n\r\n'],
    ['a request with a body', 'GET /a HTTP/1.1\r\nHost: a.test\r\nContent-Length: 0\r\n\r\n'],
    ['a request for another protocol', 'GET /a HTTP/1.1\r\nHost: a.test\r\nUpgrade: h2c\r\n\r\n'],
  ])('passes untouched where it is the answer to %s', async (_, request) => {
    at.patienceMs = IMPATIENCE_MS;
    await loadWhole(request);
    expect([driver.filled, at.asked.length]).toEqual([0, 1]);
  });
});
