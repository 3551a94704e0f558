import { expect, it } from 'vitest';
import type { Measurement, Phase } from '../messages/measuring.ts';
import { bytesToCome, progressOf } from './progress.ts';

const at = (phase: Phase): Measurement => ({
  url: 'https://a.test/', options: { pairs: 2, visit: 'first', isCold: false }, asks: false, startedMs: 1_000, waitedMs: 0, plan: [{ pair: 0, side: 'with' }, { pair: 1, side: 'with' }, { pair: 1, side: 'without' }, { pair: 2, side: 'without' }, { pair: 2, side: 'with' }],
  phase, tabId: 1, isSeen: true, load: 1, bytesPerLoad: 1_000, counted: [], dropped: [],
});
const loading = (place: number): Measurement => at({ name: 'loading', place, attempt: 1, sinceMs: 0 });

it('tells the load that it is at, and how long it takes still, as long as loads have taken so far', () => {
  expect(progressOf(loading(0), 9_000)).toEqual({ load: 1, of: 5, leftMs: null });
  expect(progressOf(loading(2), 21_000)).toEqual({ load: 3, of: 5, leftMs: 30_000 });
});

it('does not take what it has waited for the user for what loads take', () => {
  expect(progressOf({ ...loading(2), waitedMs: 600_000 }, 621_000)).toMatchObject({ leftMs: 30_000 });
  expect(progressOf(at({ name: 'asking', place: 1, attempt: 1, sinceMs: 11_000 }), 600_000)).toMatchObject({ leftMs: 40_000 });
});

it('tells what is still to come costs', () => {
  expect(bytesToCome(loading(1))).toBe(4_000);
  expect(bytesToCome({ ...loading(1), bytesPerLoad: null })).toBeNull();
});

it.each<Phase>([{ name: 'opening', sinceMs: 0 }, { name: 'ended', why: 'complete' }])('tells nothing at $name', (phase) => {
  expect([progressOf(at(phase), 5_000), bytesToCome(at(phase))]).toEqual([null, null]);
});
