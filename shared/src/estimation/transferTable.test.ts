import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LinkEstimate } from './link.ts';
import { TransferTable } from './transferTable.ts';

const BYTES_PER_MS = 100;
const LINK: LinkEstimate = { rateBitsPerSecond: BYTES_PER_MS * 8_000, rttMs: 100, connectMs: 400 };
const A = 'http://a.example';
const B = 'http://b.example';
const TLS = 'https://a.example';
const LAST_BYTES = 500;
const STALLED_MS = 3_000;

describe('TransferTable', () => {
  let table: TransferTable;

  beforeEach(() => {
    table = new TransferTable();
  });

  function toCome(nowMs: number): Record<string, number> {
    return Object.fromEntries([...table.stillToCome(LINK, nowMs)].map(([key, { bytes }]) => [key, bytes]));
  }

  function answered(key: string, contentBytes: number | null, nowMs = 0): void {
    table.start(key, A, 5_000, nowMs);
    table.responding(key, contentBytes, LINK, nowMs);
  }

  it('expects a request whole until it is answered', () => {
    table.start('a', A, 5_000, 0);
    expect(toCome(0)).toEqual({ a: 5_000 });
    expect(toCome(200)).toEqual({ a: 5_000 });
  });

  it('goes by the content length once there is an answer, or by the expectation where there is none', () => {
    table.start('a', A, 5_000, 0);
    table.start('b', A, 6_000, 0);
    table.responding('a', 20_000, LINK, 100);
    table.responding('b', null, LINK, 100);
    expect(toCome(100)).toEqual({ a: 20_000, b: 6_000 });
  });

  it('knows nothing of an answer to a request that it was not told of', () => {
    table.responding('a', 20_000, LINK, 0);
    table.end('b', LINK, 0);
    expect([toCome(0), table.openTo(A)]).toEqual([{}, 0]);
  });

  it('gives the link to one response alone, and shares it between two', () => {
    answered('a', 50_000);
    expect(toCome(100)).toEqual({ a: 40_000 });
    answered('b', 50_000, 100);
    expect(toCome(300)).toEqual({ a: 30_000, b: 40_000 });
    table.end('a', LINK, 400);
    expect(toCome(500)).toEqual({ b: 25_000 });
  });

  it('gives no share to what is not answered, nor to what should be here', () => {
    table.start('unanswered', A, 5_000, 0);
    answered('short', 1_000);
    answered('long', 50_000);
    expect(toCome(20)).toEqual({ unanswered: 5_000, short: LAST_BYTES, long: 49_000 });
    expect(toCome(120)).toEqual({ unanswered: 5_000, short: LAST_BYTES, long: 39_000 });
  });

  it('carries on from the restart of a key', () => {
    answered('a', 20_000);
    expect(toCome(100)).toEqual({ a: 10_000 });
    table.start('a', A, 7_000, 100);
    expect(toCome(200)).toEqual({ a: 7_000 });
  });

  it.each([
    ['250 ms', 50, 250],
    ['four round trips where these are longer', 100, 400],
  ])('does not count a request to an origin that has answered before when it is unanswered after %s, until it is answered', (_limit, rttMs, limitMs) => {
    const link = { ...LINK, rttMs };
    answered('known', 1_000);
    table.end('known', link, 0);
    table.start('a', A, 5_000, 0);
    expect(table.stillToCome(link, limitMs).size).toBe(1);
    expect(table.stillToCome(link, limitMs + 1).size).toBe(0);
    table.responding('a', 20_000, link, limitMs + 1);
    expect(table.stillToCome(link, limitMs + 1).get('a')?.bytes).toBe(20_000);
  });

  it('takes an origin that has not answered for connecting, for a quarter longer than connections took lately', () => {
    table.start('a', TLS, 5_000, 1_000);
    const states = [1_000, 1_500, 1_501].map((nowMs) => [table.isConnecting(TLS, LINK, nowMs), table.stillToCome(LINK, nowMs).get('a')]);
    expect(states).toEqual([[true, { bytes: 5_000, isConnecting: true }], [true, { bytes: 5_000, isConnecting: true }], [false, undefined]]);
    table.responding('a', 5_000, LINK, 1_501);
    expect([table.isConnecting(TLS, LINK, 1_501), table.stillToCome(LINK, 1_501).get('a')]).toEqual([false, { bytes: 5_000, isConnecting: false }]);
  });

  it('counts connecting from the first request, whatever comes of it', () => {
    table.start('a', TLS, 5_000, 0);
    table.end('a', LINK, 100);
    table.start('b', TLS, 5_000, 300);
    expect([table.isConnecting(TLS, LINK, 500), table.isConnecting(TLS, LINK, 501)]).toEqual([true, false]);
  });

  it('takes one that was never asked for connecting, too', () => {
    expect(table.isConnecting(TLS, LINK, 1_000_000)).toBe(true);
  });

  it('counts an unended response for little once it should be here, and not at all once it has stalled', () => {
    answered('a', 10_000);
    expect(toCome(100)).toEqual({ a: LAST_BYTES });
    expect(toCome(100 + STALLED_MS)).toEqual({ a: LAST_BYTES });
    expect(toCome(101 + STALLED_MS)).toEqual({});
    expect(table.openTo(A)).toBe(1);
  });

  it('counts every unanswered request, in whatever queue it waits', () => {
    for (let i = 1; i <= 8; i += 1) table.start(`a${i}`, TLS, 1_000, 0);
    expect(Object.keys(toCome(0))).toHaveLength(8);
  });

  it('does not let a request that hangs take the place of one that does not', () => {
    answered('known', 1_000);
    table.end('known', LINK, 0);
    for (let i = 1; i <= 6; i += 1) table.start(`hangs${i}`, A, 1_000, 0);
    table.start('a', A, 1_000, 450);
    expect(toCome(450)).toEqual({ a: 1_000 });
  });

  it('counts what has not begun while its origin sends something else: HTTP/2 servers have a queue', () => {
    answered('first', 450 * BYTES_PER_MS);
    table.start('queued', A, 1_000, 0);
    expect(toCome(449)).toMatchObject({ queued: 1_000 });
    table.end('first', LINK, 450);
    expect(toCome(800)).toEqual({ queued: 1_000 });
    expect(toCome(900)).toEqual({});
  });

  it('forgets what it knows of origins: it is bounded', () => {
    answered('a', 1_000);
    for (let i = 0; i < 2_000; i += 1) {
      table.start(`other${i}`, `https://${i}.example`, 1_000, 0);
      table.responding(`other${i}`, 1_000, LINK, 0);
    }
    expect([table.isConnecting(A, LINK, 0), table.isConnecting('https://1999.example', LINK, 0)]).toEqual([true, false]);
  });

  it('tells what is open to an origin, answered or not, until it has ended', () => {
    answered('a', 1_000);
    table.start('b', A, 1_000, 0);
    table.start('c', B, 1_000, 0);
    expect([table.openTo(A), table.openTo(B)]).toEqual([2, 1]);
    table.end('a', LINK, 0);
    expect(table.openTo(A)).toBe(1);
    expect(toCome(0)).toEqual({ b: 1_000, c: 1_000 });
  });

  it('never takes the link for faster than it is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 1, maxLength: 12 }), fc.array(fc.nat(200), { minLength: 1, maxLength: 10 }), (contents, waits) => {
        table = new TransferTable();
        for (const [i, contentBytes] of contents.entries()) answered(`${i}`, contentBytes);
        const total = (nowMs: number): number => Object.values(toCome(nowMs)).reduce((sum, bytes) => sum + bytes, 0);
        let nowMs = 0;
        let before = total(0);
        for (const waitMs of waits) {
          nowMs += waitMs;
          const after = total(nowMs);
          expect(before - after).toBeLessThanOrEqual(waitMs * BYTES_PER_MS + 0.01);
          before = after;
        }
      }),
    );
  });

  it('never expects less than nothing, nor anything that is not open', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.record({ do: fc.constantFrom('start', 'responding', 'end', 'wait'), key, bytes: fc.nat(50_000), contentBytes: fc.option(fc.nat(50_000)), waitMs: fc.nat(2_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        table = new TransferTable();
        const open = new Set<string>();
        let nowMs = 0;
        for (const now of steps) {
          nowMs += now.waitMs;
          if (now.do === 'start') {
            table.start(now.key, A, now.bytes, nowMs);
            open.add(now.key);
          } else if (now.do === 'responding') table.responding(now.key, now.contentBytes, LINK, nowMs);
          else if (now.do === 'end') {
            table.end(now.key, LINK, nowMs);
            open.delete(now.key);
          }
          const coming = toCome(nowMs);
          expect(Object.values(coming).filter((bytes) => bytes < 0)).toEqual([]);
          expect(Object.keys(coming).filter((one) => !open.has(one))).toEqual([]);
          expect(table.openTo(A)).toBe(open.size);
        }
      }),
    );
  });
});
