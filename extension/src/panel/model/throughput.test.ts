import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesBefore, observedRate, throughputOf, type Transfer } from './throughput.ts';

const transfer = (fromMs: number, toMs: number, bytes: number, isNeeded = true): Transfer => ({ phases: [{ kind: 'wait', fromMs: fromMs - 5, toMs: fromMs }, { kind: 'transfer', fromMs, toMs }], bytes, isNeeded });
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

it('bytes come evenly while a request transfers, and not while it is stopped', () => {
  const stopped: Transfer = { phases: [{ kind: 'transfer', fromMs: 0, toMs: 100 }, { kind: 'stop', fromMs: 100, toMs: 500 }, { kind: 'transfer', fromMs: 500, toMs: 600 }], bytes: 1_000, isNeeded: true };
  expect([0, 50, 100, 300, 500, 550, 600, 900].map((ms) => bytesBefore(stopped, ms))).toEqual([0, 250, 500, 500, 500, 750, 1_000, 1_000]);
  expect(throughputOf([stopped], 600).neededBytes).toEqual([500, 0, 0, 0, 0, 500]);
});

it('buckets hold all that came, each by what it is for', () => {
  const some = fc.array(fc.record({ fromMs: fc.nat(3_000), lastsMs: fc.nat(2_000), bytes: fc.nat(100_000), isNeeded: fc.boolean() }), { maxLength: 20 });
  fc.assert(fc.property(some, (all) => {
    const { neededBytes, otherBytes } = throughputOf(all.map(({ fromMs, lastsMs, bytes, isNeeded }) => transfer(fromMs, fromMs + lastsMs, bytes, isNeeded)), 5_200);
    expect(sum(neededBytes)).toBeCloseTo(sum(all.filter(({ isNeeded }) => isNeeded).map(({ bytes }) => bytes)), 3);
    expect(sum(otherBytes)).toBeCloseTo(sum(all.filter(({ isNeeded }) => !isNeeded).map(({ bytes }) => bytes)), 3);
    expect(Math.min(0, ...neededBytes, ...otherBytes)).toBeGreaterThan(-0.001);
  }));
});

it('the rate is the highest at which something came since it was asked for, and not known while nothing came', () => {
  expect(observedRate([])).toBeNull();
  expect(observedRate([transfer(1_000, 2_000, 0)])).toBeNull();
  expect(observedRate([transfer(1_005, 2_000, 100_000)])).toBeCloseTo(800_000, 0);
  // the browser took it from the helper when it was there for long
  const kept: Transfer = { phases: [{ kind: 'wait', fromMs: 0, toMs: 500 }, { kind: 'transfer', fromMs: 500, toMs: 1_000 }, { kind: 'kept', fromMs: 1_000, toMs: 9_000 }], bytes: 100_000, isNeeded: true };
  expect(observedRate([kept])).toBeCloseTo(800_000, 0);
  // at a stroke, after a second on its way
  expect(observedRate([{ phases: [{ kind: 'wait', fromMs: 0, toMs: 1_000 }], bytes: 100_000, isNeeded: true }])).toBeCloseTo(800_000, 0);
});
