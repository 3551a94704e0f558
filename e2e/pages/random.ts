import { seededRandom } from '../../shared/src/statistics/random.ts';

/** A stream of numbers that is the same for the same seed, on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** In [low, high). */
  between(low: number, high: number): number;
  /** Whole, in [low, high]. */
  whole(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** A copy in another order. */
  shuffled<T>(list: readonly T[]): T[];
  /** A stream of its own for one purpose, so that adding a use elsewhere does not change this one. */
  fork(purpose: string): Random;
}

/** FNV-1a, 32 bits. */
export function hashText(text: string, seed = 0): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    between: (low, high) => low + next() * (high - low),
    pick: <T>(list: readonly T[]): T => {
      const item = list[whole(0, list.length - 1)];
      if (item === undefined) throw new RangeError('cannot pick from an empty list');
      return item;
    },
    shuffled: <T>(list: readonly T[]): T[] =>
      list
        .map((item) => ({ item, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ item }) => item),
    fork: (purpose) => createRandom(hashText(purpose, seed)),
  };
}
