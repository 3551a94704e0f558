import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { balancedQueues } from './balancedQueues.ts';
import { FetchClass, keepsDocumentOrder, levelOf, totalBytes, type FetchObject } from './fetchObject.ts';
import type { QueuePolicy } from './queuePolicy.ts';
import { ratsElephantsRats } from './ratsElephantsRats.ts';
import { roundRobinQueues } from './roundRobinQueues.ts';

const object = (id: number, bytes: number, fetchClass: FetchClass = FetchClass.inView, isAwaited = false): FetchObject => ({ id, origin: 'http://a.test', fetchClass, index: id, bytes, isAwaited });
const objects = fc
  .array(fc.record({ bytes: fc.integer({ min: 1, max: 200_000 }), fetchClass: fc.constantFrom(...Object.values(FetchClass)), isAwaited: fc.boolean() }), { maxLength: 60 })
  .map((all) => all.map(({ bytes, fetchClass, isAwaited }, id) => object(id, bytes, fetchClass, isAwaited)));
const connections = fc.array(fc.record({ bytesToCome: fc.nat(100_000) }), { minLength: 1, maxLength: 12 });
const ids = (queue: readonly FetchObject[]): number[] => queue.map(({ id }) => id);

describe('rats-elephants-rats', () => {
  it('small ones at both ends, large ones in the middle', () => {
    expect(ratsElephantsRats([object(0, 50), object(1, 10), object(2, 40), object(3, 20), object(4, 30)]).map(({ bytes }) => bytes)).toEqual([10, 30, 50, 40, 20]);
  });

  it('inside each level sizes rise and then fall, levels keep their order, and what has no order of its own that of its document', () => {
    fc.assert(
      fc.property(objects, (all) => {
        const order = ratsElephantsRats(all);
        expect(ids(order).sort((a, b) => a - b)).toEqual(ids(all));
        for (const level of new Set(order.map(levelOf))) {
          if (keepsDocumentOrder(level)) {
            const members = ids(order.filter((each) => levelOf(each) === level));
            expect(members).toEqual([...members].sort((a, b) => a - b));
            continue;
          }
          const sizes = order.filter((each) => levelOf(each) === level).map(({ bytes }) => bytes);
          const largest = sizes.indexOf(Math.max(...sizes));
          sizes.slice(1).forEach((size, place) => expect(place + 1 <= largest ? size >= (sizes[place] ?? 0) : size <= (sizes[place] ?? 0)).toBe(true));
        }
        const levels = order.map(levelOf);
        expect(levels).toEqual([...levels].sort((a, b) => a - b));
      }),
    );
  });
});

describe.each<[string, QueuePolicy]>([
  ['OR', balancedQueues],
  ['CONV', roundRobinQueues],
])('%s', (_, policy) => {
  it('every object is in exactly one queue, and no queue inverts priorities', () => {
    fc.assert(
      fc.property(objects, connections, (all, loads) => {
        const queues = policy.assign(all, loads);
        expect(queues).toHaveLength(loads.length);
        expect(ids(queues.flat()).sort((a, b) => a - b)).toEqual(ids(all));
        for (const queue of queues) queue.slice(1).forEach((each, place) => expect(levelOf(each)).toBeGreaterThanOrEqual(levelOf(queue[place] ?? each)));
      }),
    );
  });

  it('what is taken over is the next of some queue, none more urgent than it', () => {
    fc.assert(
      fc.property(objects, connections, (all, loads) => {
        const queues = policy.assign(all, loads);
        const taken = policy.takeOver(queues);
        if (taken === null) expect(all).toHaveLength(0);
        else {
          expect(queues.some(([next]) => next === taken)).toBe(true);
          expect(levelOf(taken)).toBe(Math.min(...all.map(levelOf)));
        }
      }),
    );
  });
});

describe('OR balances bytes', () => {
  it('what was sent already counts', () => {
    const [busy, free] = balancedQueues.assign([object(0, 1000), object(1, 1000)], [{ bytesToCome: 5000 }, { bytesToCome: 0 }]);
    expect([busy, free].map((queue) => ids(queue ?? []))).toEqual([[], [0, 1]]);
  });

  it('what the browser waits for goes before what is only foreseen', () => {
    const order = ratsElephantsRats([object(0, 10), object(1, 30, FetchClass.inView, true), object(2, 20, FetchClass.layout), object(3, 10, FetchClass.layout, true), object(4, 5, FetchClass.offScreen, true)]);
    expect(ids(order)).toEqual([3, 2, 1, 0, 4]);
  });

  it('no two connections with nothing sent end further apart than by one object', () => {
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 12 }), (all, n) => {
        const alike = all.map((each) => ({ ...each, fetchClass: FetchClass.inView, isAwaited: false }));
        const ends = balancedQueues.assign(alike, Array.from({ length: n }, () => ({ bytesToCome: 0 }))).map(totalBytes);
        expect(Math.max(...ends) - Math.min(...ends)).toBeLessThanOrEqual(Math.max(0, ...alike.map(({ bytes }) => bytes)));
      }),
    );
  });

  it('of the waiting ones that are most urgent the busiest queue gives its next', () => {
    const queues = [[object(0, 10)], [object(1, 20), object(2, 90)], [object(3, 500, FetchClass.offScreen)]];
    expect(balancedQueues.takeOver(queues)?.id).toBe(1);
  });
});

describe('CONV keeps the order of the document', () => {
  it('one connection after the other', () => {
    expect(roundRobinQueues.assign([object(2, 1), object(0, 9), object(1, 5)], [{ bytesToCome: 0 }, { bytesToCome: 9 }]).map(ids)).toEqual([[0, 2], [1]]);
  });
});
