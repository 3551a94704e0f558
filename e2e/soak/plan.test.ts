import { describe, expect, it } from 'vitest';
import { FAULTS, MOMENTS, planTurns } from './plan.ts';

describe('plan of a soak', () => {
  it('repeats its faults by seed, and makes each of them at each moment', () => {
    expect(planTurns(400, 7, true)).toEqual(planTurns(400, 7, true));
    expect(planTurns(400, 7, true)).not.toEqual(planTurns(400, 8, true));
    const loads = planTurns(2_000, 7, true).flatMap((turn) => turn.loads);
    expect(loads.map(({ number }) => number)).toEqual(Array.from({ length: 2_000 }, (_, i) => i));
    expect(new Set(loads.map(({ fault, moment }) => `${fault} ${moment}`)).size).toBe(FAULTS.length * MOMENTS.length);
  });

  it('has both browsers in a run of 20 loads', () => {
    for (let seed = 0; seed < 20; seed++) expect(new Set(planTurns(20, seed, true).map(({ browser }) => browser)).size).toBe(2);
  });

  it('kills only what runs', () => {
    const turns = planTurns(2_000, 7, false);
    for (const { mode, loads } of turns) {
      for (const { fault } of loads) {
        expect(fault).not.toBe('driverKilled');
        if (mode === 'gate') expect(fault).not.toBe('helperKilled');
      }
    }
  });
});
