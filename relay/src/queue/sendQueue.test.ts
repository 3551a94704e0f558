import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_LEVEL } from '../../../shared/src/relay/wire.ts';
import { ENDLESS } from './sender.ts';
import { MAX_TURN_BYTES, SendQueue } from './sendQueue.ts';

const LAYOUT = 0;
const IN_VIEW = 2;
const OFF_SCREEN = 6;
const LARGE_BYTES = 1_000_000;
const unlimited = (): number => Infinity;

/** Streams by number, from 1, in the order of opening. */
function queueOf(...levels: readonly number[]): SendQueue {
  const queue = new SendQueue();
  for (const [place, level] of levels.entries()) {
    queue.open(place + 1, level, ENDLESS);
    queue.ready(place + 1, LARGE_BYTES);
  }
  return queue;
}

const turns = (queue: SendQueue, count: number): (number | undefined)[] => Array.from({ length: count }, () => queue.next(unlimited)?.stream);

describe('what goes next', () => {
  it('is of the lowest level, in the order of opening', () => {
    expect(turns(queueOf(OFF_SCREEN, LAYOUT, LAYOUT, OFF_SCREEN), 3)).toEqual([2, 2, 2]);
  });

  it('is in view what is small, and then what was opened first, to its end', () => {
    const queue = queueOf(IN_VIEW);
    for (const [place, bytes] of [LARGE_BYTES, LARGE_BYTES, 10_000].entries()) {
      queue.open(place + 2, IN_VIEW, { urgency: 1, bytes, isScript: false });
      queue.ready(place + 2, bytes);
    }
    // what has no end had waited longest
    expect(turns(queue, 5)).toEqual([4, 1, 2, 2, 2]);
  });

  it('is in view a script, of whatever length, before large pictures, one whole before the next', () => {
    const queue = new SendQueue();
    const open = (stream: number, bytes: number | null, isScript: boolean): void => {
      queue.open(stream, IN_VIEW, { urgency: 1, bytes, isScript });
      queue.ready(stream, 2 * MAX_TURN_BYTES);
    };
    open(1, LARGE_BYTES, false);
    open(2, LARGE_BYTES, false);
    open(3, null, true);
    open(4, LARGE_BYTES, true);
    expect(turns(queue, 6)).toEqual([3, 3, 4, 4, 1, 1]);
  });

  it('is in view what does not say its size as if it were small, until it has shown that it is not', () => {
    const queue = new SendQueue();
    for (const [stream, size] of [LARGE_BYTES, null, null].entries()) {
      queue.open(stream, IN_VIEW, { urgency: 1, bytes: size, isScript: false });
      queue.ready(stream, stream === 1 ? 2_000 : LARGE_BYTES);
    }
    const others = Math.ceil(32_001 / MAX_TURN_BYTES);
    expect(turns(queue, 2 + others)).toEqual([1, ...Array.from({ length: others }, () => 2), 0]);
  });

  it('is of layout files what the browser wants first', () => {
    const queue = new SendQueue();
    for (const [place, urgency] of [2, 1, 0, 1].entries()) {
      queue.open(place, LAYOUT, { urgency, bytes: null, isScript: false });
      queue.ready(place, 1);
    }
    expect(turns(queue, 4)).toEqual([2, 1, 3, 0]);
  });

  it('does not go to what is new before what has waited', () => {
    const queue = queueOf(IN_VIEW, IN_VIEW);
    expect(turns(queue, 1)).toEqual([1]);
    queue.open(3, IN_VIEW, ENDLESS);
    queue.ready(3, LARGE_BYTES);
    expect(turns(queue, 1)).toEqual([2]);
  });

  it('follows a new rank at once', () => {
    const queue = queueOf(OFF_SCREEN, OFF_SCREEN);
    expect(turns(queue, 2)).toEqual([1, 1]);
    queue.rank(2, IN_VIEW);
    expect(turns(queue, 2)).toEqual([2, 2]);
  });

  it('tells whether something is ready that is as urgent as something else', () => {
    const queue = queueOf(IN_VIEW, OFF_SCREEN);
    expect([LAYOUT, IN_VIEW, OFF_SCREEN].map((level) => queue.isReady(level))).toEqual([false, true, true]);
    queue.ready(1, 0);
    expect([IN_VIEW, OFF_SCREEN].map((level) => queue.isReady(level))).toEqual([false, true]);
  });

  it('is nothing of what has ended, and a rank of it is passed over', () => {
    const queue = queueOf(LAYOUT);
    queue.close(1);
    queue.rank(1, IN_VIEW);
    queue.ready(1, 5);
    expect(queue.next(unlimited)).toBeNull();
  });
});

type Event =
  | { readonly type: 'open'; readonly level: number; readonly urgency: number; readonly bytes: number | null; readonly isScript: boolean }
  | { readonly type: 'rank'; readonly stream: number; readonly level: number }
  | { readonly type: 'ready'; readonly stream: number; readonly bytes: number }
  | { readonly type: 'room'; readonly stream: number; readonly bytes: number }
  | { readonly type: 'close'; readonly stream: number }
  | { readonly type: 'next' };

const stream = fc.integer({ min: 1, max: 8 });
const level = fc.nat(MAX_LEVEL);
const bytes = fc.oneof(fc.constant(0), fc.nat(3 * MAX_TURN_BYTES));
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ type: fc.constant('open' as const), level, urgency: fc.nat(7), bytes: fc.option(fc.constantFrom(1_000, LARGE_BYTES)), isScript: fc.boolean() }) },
  fc.record({ type: fc.constant('rank' as const), stream, level }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('ready' as const), stream, bytes }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('room' as const), stream, bytes }) },
  fc.record({ type: fc.constant('close' as const), stream }),
  { weight: 4, arbitrary: fc.constant({ type: 'next' as const }) },
);

it('whatever happens: a turn is of the lowest level that has bytes and room, at most 16 kB, and there is one whenever there can be', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const queue = new SendQueue();
      const open = new Map<number, { level: number; ready: number; room: number }>();
      let opened = 0;
      for (const each of events) {
        if (each.type === 'open') {
          opened += 1;
          queue.open(opened, each.level, each);
          open.set(opened, { level: each.level, ready: 0, room: LARGE_BYTES });
        } else if (each.type === 'next') {
          const able = [...open].filter(([, { ready, room }]) => ready > 0 && room > 0);
          const turn = queue.next((id) => open.get(id)?.room ?? 0);
          expect(turn === null).toBe(able.length === 0);
          if (turn === null) continue;
          const one = open.get(turn.stream)!;
          expect(one.level).toBe(Math.min(...able.map(([, { level: each }]) => each)));
          expect(turn.bytes).toBe(Math.min(one.ready, one.room, MAX_TURN_BYTES));
          one.ready -= turn.bytes;
        } else {
          const one = open.get(each.stream);
          if (each.type === 'rank') {
            queue.rank(each.stream, each.level);
            if (one !== undefined) one.level = each.level;
          } else if (each.type === 'ready') {
            queue.ready(each.stream, each.bytes);
            if (one !== undefined) one.ready = each.bytes;
          } else if (each.type === 'room') {
            if (one !== undefined) one.room = each.bytes;
          } else {
            queue.close(each.stream);
            open.delete(each.stream);
          }
        }
      }
    }),
  );
});

it('streams in view whose end is not known are never more than a turn apart', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.nat(40), (count, length) => {
      const queue = queueOf(...Array<number>(count).fill(IN_VIEW));
      const counts = new Map<number, number>();
      for (const each of turns(queue, length)) counts.set(each!, (counts.get(each!) ?? 0) + 1);
      const had = Array.from({ length: count }, (_, place) => counts.get(place + 1) ?? 0);
      expect(Math.max(...had) - Math.min(...had)).toBeLessThanOrEqual(1);
    }),
  );
});
