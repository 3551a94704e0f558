import { describe, expect, it } from 'vitest';
import type { Way } from '../plan.ts';
import { noneCounted, transferOf } from '../testRuns.ts';
import { OPTIONS } from './options.ts';
import { fairness } from './subject.ts';
import { markdownTable, summarize, type FairnessRun } from './summary.ts';

describe('the benchmark of fairness', () => {
  it("has the paper's round trips and runs, unless told otherwise", () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({
      kbitPerSecond: 50_000, rttsMs: [30, 40, 50, 60, 70], losses: [0], link: [], congestion: ['cubic'], frameErrorRate: null, seconds: 60, warmUpSeconds: 5, rounds: 10, parallel: 1, seed: 1, out: 'out/x',
    });
  });

  it.each([['--rtts', '40,30'], ['--rtts', '0'], ['--losses', '1'], ['--kbit', 'fast'], ['--seconds', '0']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  const condition = { rttMs: 40, loss: 0, congestion: 'cubic' };
  const run = (way: Way, round: number, dropsQueue: number, seconds: FairnessRun['seconds']): FairnessRun => ({
    ...condition, ...transferOf(1, 1, dropsQueue), way, round, seconds, fwp: way === 'fwp' ? { ...noneCounted, congested: 3 } : null,
  });

  it('has shares of the whole time and of seconds, and drops of the same rounds', () => {
    const runs = [run('stock', 0, 100, [{ file: 125_000, plain: 125_000 }]), run('fwp', 0, 110, [{ file: 150_000, plain: 100_000 }, { file: 200_000, plain: 50_000 }, { file: 0, plain: 0 }]), { ...run('fwp', 0, 9, []), rttMs: 50 }];
    const rows = summarize(runs, [condition], 1);
    expect(rows).toMatchObject([{ ...condition, rounds: 1, totals: { stock: 2 }, drops: { value: 1.1 }, congested: 3 }]);
    expect(rows[0]?.shares.fwp.mean.value).toBeCloseTo(0.7);
    expect(rows[0]?.shares.fwp.seconds[0]).toBeCloseTo(0.62);
    expect(markdownTable(rows, ['head'])).toContain('| 40 | 0 | cubic | 1 | 50 % [50, 50]; seconds 50 to 50 | 70 % [70, 70]; seconds 62 to 78 | 2.0 |');
  });

  it('shares a bottleneck with a plain flow', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root, for the driver');
    const { results, pictures } = await fairness.prepare(['--kbit', '10000', '--rtts', '30', '--seconds', '2', '--warm-up', '1', '--rounds', '1'], 'out/x')!.measure();
    const { runs } = results as { runs: FairnessRun[] };
    expect(runs.map(({ seconds }) => seconds.length)).toEqual([2, 2]);
    for (const { seconds } of runs) for (const { file, plain } of seconds) expect(file + plain).toBeGreaterThan(0);
    expect(Object.keys(pictures ?? {})).toEqual(['fairness-cubic-loss-0']);
  });
});
