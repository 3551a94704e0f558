import { expect, it } from 'vitest';
import { planLoads } from './plan.ts';
import { soakRelay, type Load } from './soak.ts';
import { isWhole } from './table.ts';

const [LOADS, SEED, LANES] = [20, 1, 3];
/** A relay that is silent is given up far sooner, with the direct way there. */
const SILENT_MS = 8_000;
/** Of a page, at least, that a relay has carried in zstd. */
const RELAYED_BYTES = 20_000;

it('pages are whole, and no form is sent twice, whatever becomes of the relay in their middle', async () => {
  const loads: Load[] = [];
  await soakRelay(planLoads(0, LOADS, SEED), LANES, (load) => loads.push(load));
  expect(loads.filter((load) => !isWhole(load))).toEqual([]);
  expect(loads).toHaveLength(LOADS);
  expect(loads.filter(({ relayedBytes }) => relayedBytes < RELAYED_BYTES)).toEqual([]);
  expect(loads.filter(({ fault, calmMs, ms }) => fault === 'blackholed' && ms - calmMs > SILENT_MS)).toEqual([]);
});
