import { expect, it } from 'vitest';
import { soak, type Load } from './soak.ts';

const LOADS = 15;
/** Firefox with tunnels and Chromium with interception, the latter with every fault. */
const SEED = 12;

it('loads are as stock\'s whatever fault meets them, and nothing is left over', async () => {
  const reports: Load[] = [];
  await soak(LOADS, SEED, (load) => void reports.push(load));
  expect(reports.filter(({ violations }) => violations.length > 0)).toEqual([]);
  const loads = reports.filter(({ fault }) => fault !== 'end').map(({ number }) => number);
  expect(loads.sort((a, b) => a - b)).toEqual(Array.from({ length: LOADS }, (_, number) => number));
  expect(reports.length - loads.length).toBe(2);
});
