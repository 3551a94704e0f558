import { describe, expect, it } from 'vitest';
import type { Flow } from '../transfers/plan.ts';
import { counters, NOTHING_CARRIED } from '../testRuns.ts';
import { OPTIONS } from './options.ts';
import { markdownTable, summarize, type Condition, type FairnessRun } from './summary.ts';

const CONDITION: Condition = { profile: '5000kbit-40ms', loss: 0.01, congestion: 'cubic', ten: 'requests', way: 'up' };
const flow = (port: number, upBytes: number, requests = 0): Flow => ({ kind: requests > 0 ? 'requests' : 'up', port, seconds: 1, upBytes, downBytes: 0, requests });
const run = (isRegistered: boolean, round: number, plainBytes: number, requests: number): FairnessRun => ({
  ...NOTHING_CARRIED, ...CONDITION, isRegistered, round, flows: [flow(8082, plainBytes), flow(8081, 400, requests), flow(8081, 400, requests)],
  near: isRegistered ? counters({ copies: 20, copyBytes: 1_000, linkBusy: 3 }) : null,
});

describe('the benchmark of fairness', () => {
  it('has both links, requests and bulk, both ways, unless told otherwise', () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({
      profiles: ['5000kbit-40ms', '1000kbit-100ms'], losses: [0, 0.01], link: [], ten: ['requests', 'bulk'], ways: ['down', 'up'], ends: 'client', congestion: ['cubic'],
      seconds: 30, warmUpSeconds: 5, rounds: 10, parallel: 2, seed: 1, out: 'out/x',
    });
  });

  it.each([['--losses', '1'], ['--profiles', 'a,../b'], ['--ten', 'eleven'], ['--ways', 'both'], ['--ends', 'none']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  it('compares the plain flow beside registered ones with the same beside plain ones', () => {
    const other: FairnessRun = { ...run(true, 0, 1, 1), way: 'down' };
    const runs = [run(false, 0, 125_000, 10), run(true, 0, 100_000, 20), run(true, 1, 125_000, 20), run(false, 1, 125_000, 10), other];
    const rows = summarize(runs, [CONDITION], 1);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ rounds: 2, plainFlow: [1, 0.9], plainFlowRatio: { value: 0.9, low: 0.8, high: 1 }, tenRatio: { value: 2 }, copiesPercent: 2, copyBytesPercent: 1, linkBusy: 6 });
    expect(markdownTable(rows, ['head'])).toContain('| 5000kbit-40ms | 0.01 | cubic | requests | up | 2 | 1.00 | 0.90 | 0.90 [0.80, 1.00] | 2.00 [2.00, 2.00] | 2.0 | 1.0 | 6 |');
  });
});
