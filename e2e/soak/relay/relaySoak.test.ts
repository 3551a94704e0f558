import { expect, it } from 'vitest';
import { median } from '../../../shared/src/statistics/statistics.ts';
import { FAULTS, MODES, planLoads } from './plan.ts';
import { soakRelay, type Load } from './soak.ts';
import { isWhole } from './table.ts';

/** Each fault in each mode, once. */
const [LOADS, SEED, LANES] = [FAULTS.length * MODES.length, 1, 3];
/** A relay that is silent is given up far sooner, with the direct way there. */
const SILENT_MS = 8_000;
/** Of pages, in the median and in zstd; on a busy machine a single one may take its relay for silent, and go directly. */
const RELAYED_BYTES = 100_000;

it('pages are whole, and no form is sent twice, whatever becomes of the relay in their middle', async () => {
  const loads: Load[] = [];
  await soakRelay(planLoads(0, LOADS, SEED), LANES, (load) => loads.push(load));
  expect(loads.filter((load) => !isWhole(load))).toEqual([]);
  expect(loads).toHaveLength(LOADS);
  expect(median(loads.map(({ relayedBytes }) => relayedBytes))).toBeGreaterThan(RELAYED_BYTES);
  expect(loads.filter(({ fault, calmMs, ms }) => fault === 'blackholed' && ms - calmMs > SILENT_MS)).toEqual([]);
});
