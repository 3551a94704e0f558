import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Arrivals } from './arrival.ts';

const ends = { client: '10.99.0.1:40001', server: '20.100.1.0:80', url: 'http://a.test/' };

describe('Arrivals', () => {
  it.each([
    [100, 5],
    [101, 7],
    [300, 9],
    [301, null],
    [null, null],
  ])('finds when byte %s of the stream was delivered: %s ms', (streamEnd, expected) => {
    const arrivals = new Arrivals([{ ...ends, steps: [[5e6, 100], [7e6, 250], [9e6, 300]] }]);
    expect(arrivals.of({ ...ends, startNs: 1e6, streamEnd })).toBe(expected);
  });

  it('tells connections apart by both ends', () => {
    const arrivals = new Arrivals([{ ...ends, client: '10.99.0.1:40002', steps: [[5e6, 100]] }]);
    expect(arrivals.of({ ...ends, startNs: 0, streamEnd: 50 })).toBeNull();
  });

  it('takes the later connection when a port was used again', () => {
    const arrivals = new Arrivals([{ ...ends, steps: [[5e6, 100]] }, { ...ends, steps: [[50e6, 100]] }]);
    expect(arrivals.of({ ...ends, startNs: 20e6, streamEnd: 100 })).toBe(50);
  });

  it('takes the first end after the request that the browser tells, of what a relay has asked for', () => {
    const told = [{ url: ends.url, atMs: 30 }, { url: ends.url, atMs: 8 }, { url: ends.url, atMs: 20 }, { url: 'http://a.test/other', atMs: 12 }];
    const arrivals = new Arrivals([{ ...ends, steps: [[5e6, 100]] }], told);
    const relayed = { ...ends, client: '10.98.0.1:40001', startNs: 10e6, streamEnd: 100 };
    expect(arrivals.of(relayed)).toBe(20);
    expect(arrivals.of({ ...relayed, startNs: 31e6 })).toBeNull();
    expect(arrivals.of({ ...relayed, streamEnd: null })).toBeNull();
    expect(arrivals.of({ ...relayed, client: ends.client, startNs: 0 })).toBe(5);
  });

  it('never lets a later byte of one connection arrive before an earlier one', () => {
    const growth = fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 })), { minLength: 1 });
    fc.assert(
      fc.property(growth, fc.nat(5_000), fc.nat(5_000), (deltas, a, b) => {
        let [ns, bytes] = [0, 0];
        const steps = deltas.map(([dNs, dBytes]): [number, number] => [(ns += dNs), (bytes += dBytes)]);
        const arrivals = new Arrivals([{ ...ends, steps }]);
        const at = (streamEnd: number) => arrivals.of({ ...ends, startNs: 0, streamEnd }) ?? Infinity;
        expect(at(Math.min(a, b))).toBeLessThanOrEqual(at(Math.max(a, b)));
      }),
    );
  });
});
