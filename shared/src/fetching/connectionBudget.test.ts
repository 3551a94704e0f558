import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectionsByBytes, equalConnections, stockConnections, type ServerDemand } from './connectionBudget.ts';

const server = (origin: string, bytes: number, objects = 20, isMultiplexed = false, urgentObjects = 0): ServerDemand => ({ origin, bytes, objects, isMultiplexed, urgentObjects });
const servers = fc
  .array(fc.record({ bytes: fc.integer({ min: 1, max: 2_000_000 }), objects: fc.integer({ min: 1, max: 80 }), isMultiplexed: fc.boolean() }), { minLength: 1, maxLength: 12 })
  .map((all) => all.map(({ bytes, objects, isMultiplexed }, place) => server(`http://${place}.test`, bytes, objects, isMultiplexed)));
const stockTotal = (all: readonly ServerDemand[]): number => all.reduce((sum, each) => sum + stockConnections(each), 0);
const sum = (budget: ReadonlyMap<string, number>): number => [...budget.values()].reduce((a, b) => a + b, 0);

describe('connections over servers', () => {
  it('stock: six to each that has so many objects, one where it multiplexes', () => {
    const budget = equalConnections([server('a', 1e6), server('b', 10, 2), server('c', 1e6, 20, true)], 99);
    expect([...budget.values()]).toEqual([6, 2, 1]);
  });

  it('CM: the server with more bytes gets more, the other less, the sum is the same', () => {
    const budget = connectionsByBytes([server('a', 900_000), server('b', 100_000)], 12);
    expect(budget.get('a')).toBeGreaterThan(6);
    expect(budget.get('b')).toBeLessThan(6);
    expect(sum(budget)).toBe(12);
  });

  it('CM: never more than the stock total, at least one each, none without an object for it, one where the server multiplexes', () => {
    fc.assert(
      fc.property(servers, (all) => {
        const budget = connectionsByBytes(all.map((each, place) => ({ ...each, urgentObjects: place % 2 === 0 ? each.objects : 0 })), stockTotal(all));
        expect(sum(budget)).toBeLessThanOrEqual(stockTotal(all));
        for (const { origin, objects, isMultiplexed } of all) {
          expect(budget.get(origin)).toBeGreaterThanOrEqual(1);
          expect(budget.get(origin)).toBeLessThanOrEqual(isMultiplexed ? 1 : objects);
        }
      }),
    );
  });

  it('CM: of two servers the one with more bytes never gets fewer, its objects permitting', () => {
    fc.assert(
      fc.property(servers, (all) => {
        const budget = connectionsByBytes(all, stockTotal(all));
        const open = all.filter(({ isMultiplexed, origin, objects }) => !isMultiplexed && (budget.get(origin) ?? 0) < Math.min(12, objects));
        for (const a of open) for (const b of open) if (a.bytes > b.bytes) expect(budget.get(a.origin)).toBeGreaterThanOrEqual(budget.get(b.origin) ?? 0);
      }),
    );
  });

  it('CM: bytes that can wait take no connection from what the first screen waits for', () => {
    const budget = connectionsByBytes([server('a', 20_000, 5, false, 5), server('b', 900_000)], 12);
    expect([budget.get('a'), budget.get('b')]).toEqual([5, 7]);
  });

  it('CM: a server learns that others have received theirs', () => {
    const before = connectionsByBytes([server('a', 500_000), server('b', 500_000)], 12);
    const after = connectionsByBytes([server('a', 500_000), server('b', 20_000)], 12);
    expect(after.get('a')).toBeGreaterThan(before.get('a') ?? 0);
  });
});
