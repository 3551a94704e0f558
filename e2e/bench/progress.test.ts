import { describe, expect, it } from 'vitest';
import { Progress } from './progress.ts';
import type { WorkerMessage } from './workerMessages.ts';

const MINUTE_MS = 60_000;

function load(failed: string | null): WorkerMessage {
  return { type: 'load', load: { page: 'a.test', scheme: 'pf', run: 1, isrtMs: failed === null ? 1_234.4 : null, failed, failure: failed === null ? null : 'why' }, answered: [], missing: [] } as unknown as WorkerMessage;
}
const pairDone: WorkerMessage = { type: 'pairDone', page: 'a.test', run: 1 };

function progressOf(totalPairs: number, budgetMs: number | null): { progress: Progress; lines: string[]; clock: { nowMs: number } } {
  const lines: string[] = [];
  const clock = { nowMs: 0 };
  return { progress: new Progress(totalPairs, 2, budgetMs, (text) => lines.push(text), () => clock.nowMs), lines, clock };
}

describe('progress', () => {
  it('tells what was measured, and what is left by what it took so far', () => {
    const { progress, lines, clock } = progressOf(10, null);
    clock.nowMs = MINUTE_MS;
    progress.take(load(null));
    clock.nowMs = 2 * MINUTE_MS;
    progress.take(load('LINK_LATE'));
    expect(lines).toEqual(['[0/10 pairs, 19 min left] a.test round 1 pf: ISRT 1234 ms\n', '[0/10 pairs, 18 min left] a.test round 1 pf: failed: LINK_LATE (why)\n']);
  });

  it('counts a load that is tried again as time, not as progress', () => {
    const { progress, lines, clock } = progressOf(2, null);
    for (const failed of ['LINK_LATE', 'LINK_LATE', null, null]) progress.take(load(failed));
    progress.take(pairDone);
    clock.nowMs = 4 * MINUTE_MS;
    progress.take(load(null));
    expect(lines.at(-1)).toContain('[1/2 pairs, 80 s left]');
  });

  it('never promises more than the budget', () => {
    const { progress, lines, clock } = progressOf(100, 5 * MINUTE_MS);
    clock.nowMs = MINUTE_MS;
    progress.take(load(null));
    clock.nowMs = 6 * MINUTE_MS;
    progress.take(load(null));
    expect(lines).toEqual([expect.stringContaining('4 min left'), expect.stringContaining('0 s left')]);
  });
});
