import { describe, expect, it } from 'vitest';
import { ALL_PARTS, partsWithout } from './parts.ts';

describe('partsWithout', () => {
  it.each([
    ['', {}],
    ['foresight', { foresight: false }],
    ['reordering,connectionManagement', { reordering: false, connectionManagement: false }],
  ])('%j leaves out just these', (list, off) => expect(partsWithout(list)).toEqual({ ...ALL_PARTS, ...off }));

  it.each(['foresigth', 'toString', 'foresight, reordering'])('%j is refused: no part is called so', (list) => expect(() => partsWithout(list)).toThrow('has no part'));
});
