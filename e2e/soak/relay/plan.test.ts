import { expect, it } from 'vitest';
import { FAULTS, MODES, planLoads } from './plan.ts';

it('a run can be made of parts: the same seed gives the same loads', () => {
  const all = planLoads(0, 30, 7);
  expect([...planLoads(0, 11, 7), ...planLoads(11, 19, 7)]).toEqual(all);
  expect(planLoads(0, 30, 8)).not.toEqual(all);
});

it('every fault comes in every mode', () => {
  const pairs = planLoads(0, FAULTS.length * MODES.length, 1).map(({ fault, mode }) => `${fault} ${mode}`);
  expect(new Set(pairs).size).toBe(FAULTS.length * MODES.length);
});
