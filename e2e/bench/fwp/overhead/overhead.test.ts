import { describe, expect, it } from 'vitest';
import { transferOf } from '../testRuns.ts';
import { OPTIONS } from './options.ts';
import { overhead } from './subject.ts';
import { markdownTable, summarize, type OverheadRun } from './summary.ts';

describe('the benchmark of overhead', () => {
  it('has the same download without losses beside each rate', () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({ profile: '100000kbit-50ms', link: [], frameErrorRates: [0, 0.01, 0.02, 0.05, 0.1, 0.2], congestion: 'cubic', bytes: 20_000_000, rounds: 5, parallel: 1, seed: 1, out: 'out/x' });
  });

  it.each([['--fer', '0,0.1'], ['--fer', '0.2,0.1'], ['--fer', '0.1,0.6'], ['--congestion', 'reno,cubic'], ['--bytes', '0']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  const run = (frameErrorRate: number, bytes: number, deliveredBytes: number, ms: number | null = 1_000): OverheadRun => ({
    ...transferOf(bytes, deliveredBytes), frameErrorRate, round: 0, ms, sha256: null, failure: ms === null ? 'Error: aborted' : null,
  });

  it('says how many bytes more than without losses crossed each path', () => {
    const rows = summarize([run(0, 98_000, 98_000), run(0.5, 196_000, 108_000), run(0.5, 1, 1, null)], 1);
    expect(rows).toMatchObject([{ frameErrorRate: 0.5, rounds: 1, internet: { value: 1 }, seconds: 1, failed: 1 }]);
    // 10,000 bytes more, of 98,000 down and 2,000 up
    expect(rows[0]?.wireless.value).toBeCloseTo(0.1);
    expect(markdownTable(rows, ['head'])).toContain('| 0.5 | 1 | 100.0 % [100.0, 100.0] | 100.0 % | 10.0 % [10.0, 10.0] | 1.0 |');
  });

  it('downloads over the air, which loses frames', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root, for the driver');
    const { results, pictures } = await overhead.prepare(['--fer', '0.02', '--bytes', '2000000', '--rounds', '1'], 'out/x')!.measure();
    const { runs } = results as { runs: OverheadRun[] };
    expect(runs.map(({ failure }) => failure)).toEqual([null, null]);
    expect(runs.map(({ link }) => link.down.dropsLoss > 0)).toEqual([false, true]);
    expect(summarize(runs, 1)[0]?.internet.value).toBeGreaterThan(0);
    expect(Object.keys(pictures ?? {})).toEqual(['overhead']);
  });
});
