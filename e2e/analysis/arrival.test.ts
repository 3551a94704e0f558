import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Arrivals } from './arrival.ts';

const ends = { client: '10.99.0.1:40001', server: '20.100.1.0:80' };

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
