import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ServerTurns, type ServerTurn } from './serverTurns.ts';

const LIMIT = 2;
const ORIGIN = 'http://a.test';

/** Requests by number: those that have begun, in their order, and what ends each. */
function asked(turns: ServerTurns, levels: readonly (() => number)[], origin = ORIGIN): { readonly begun: number[]; readonly ends: readonly ServerTurn[] } {
  const begun: number[] = [];
  const ends = levels.map((level, place) => {
    const turn = turns.of(origin, level);
    turn.begin(() => begun.push(place));
    return turn;
  });
  return { begun, ends };
}

it('the most urgent goes next, by its latest level, else what was asked for first', () => {
  const levels = [5, 5, 5, 5, 2, 5];
  const { begun, ends } = asked(new ServerTurns(LIMIT), levels.map((_, place) => () => levels[place] ?? 0));
  expect(begun).toEqual([0, 1]);
  levels[5] = 1;
  for (const place of [0, 1, 5, 4]) ends[place]?.end();
  expect(begun).toEqual([0, 1, 5, 4, 2, 3]);
});

it('each server has turns of its own', () => {
  const turns = new ServerTurns(LIMIT);
  const levels = [() => 5, () => 5, () => 5];
  expect([asked(turns, levels).begun, asked(turns, levels, 'http://b.test').begun]).toEqual([[0, 1], [0, 1]]);
});

it('what waits for a server goes when that is found to take all, and what comes later at once', () => {
  const turns = new ServerTurns(LIMIT);
  const levels = [() => 5, () => 5, () => 5, () => 2];
  const { begun } = asked(turns, levels);
  turns.takesAll(ORIGIN);
  expect(begun).toEqual([0, 1, 3, 2]);
  expect(asked(turns, levels).begun).toEqual([0, 1, 2, 3]);
});

it('whatever ends when, as often as it likes, no more than the limit run, each begins once unless it ended before, and none is left', () => {
  fc.assert(fc.property(fc.array(fc.record({ level: fc.nat(9), endsAt: fc.nat(60) }), { maxLength: 30 }), (requests) => {
    const turns = new ServerTurns(LIMIT);
    const [running, over] = [new Set<number>(), new Set<number>()];
    const begun: number[] = [];
    const made = requests.map(({ level }) => turns.of(ORIGIN, () => level));
    const end = (place: number): void => {
      over.add(place);
      running.delete(place);
      made[place]?.end();
    };
    for (const [place, turn] of made.entries()) {
      turn.begin(() => {
        expect(over.has(place)).toBe(false);
        running.add(place);
        begun.push(place);
        expect(running.size).toBeLessThanOrEqual(LIMIT);
      });
      requests.forEach(({ endsAt }, other) => endsAt === place && other <= place && end(other));
    }
    while (running.size > 0) for (const place of [...running]) end(place);
    expect(new Set(begun).size).toBe(begun.length);
    for (const place of made.keys()) expect(over.has(place)).toBe(true);
  }));
});
