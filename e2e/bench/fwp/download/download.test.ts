import { describe, expect, it } from 'vitest';
import type { Way } from '../plan.ts';
import { noneCounted, transferOf } from '../testRuns.ts';
import { OPTIONS } from './options.ts';
import { download } from './subject.ts';
import { markdownTable, summarize, type DownloadRun } from './summary.ts';

describe('the benchmark of downloads', () => {
  it('has the losses, patterns and servers that are asked about, unless told otherwise', () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({
      profile: '20000kbit-50ms', link: [], losses: [0.001, 0.005, 0.01, 0.02, 0.05], patterns: ['independent', 'bursts'], congestion: ['reno', 'cubic', 'bbr'],
      bytes: 100_000_000, frameErrorRate: null, rounds: 3, parallel: 1, seed: 1, out: 'out/x',
    });
  });

  it.each([['--losses', '1'], ['--patterns', 'often'], ['--congestion', 'a b'], ['--bytes', '0'], ['--rounds', 'x'], ['--frame-error-rate', '0.6']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  const condition = { pattern: 'independent', loss: 0.02, congestion: 'reno' } as const;
  const run = (way: Way, round: number, ms: number | null): DownloadRun => ({
    ...condition, ...transferOf(), way, round, ms, sha256: ms === null ? null : 'a', failure: ms === null ? 'Error: aborted' : null, fwp: way === 'fwp' ? { ...noneCounted, holes: 7, late: 2 } : null,
  });

  it('compares the two of a pair, and counts what failed', () => {
    const rows = summarize([run('stock', 0, 40_000), run('fwp', 0, 4_000), run('fwp', 1, 9_000), run('stock', 1, 30_000), run('stock', 2, 5), run('fwp', 2, null), { ...run('fwp', 0, 1), loss: 0.5 }], [condition], 1);
    expect(rows).toEqual([{ ...condition, pairs: 2, stockMs: 35_000, fwpMs: 6_500, ratio: { value: 0.2, low: 0.1, high: 0.3 }, failed: [0, 1], holes: 21, late: 6, congested: 0 }]);
    expect(markdownTable(rows, ['head'])).toContain('| independent | 2 % | reno | 2 | 35.0 | 6.5 | 0.20 [0.10, 0.30] | 0, 1 | 21 | 6 | 0 |');
  });

  it('downloads over a link with losses, with FWP and without, the bytes of the file', async (context) => {
    if (process.getuid?.() !== 0) context.skip('needs root, for the driver');
    const prepared = download.prepare(['--bytes', '1000000', '--losses', '0.02', '--patterns', 'independent', '--congestion', 'reno', '--rounds', '1'], 'out/x');
    const { results, table, pictures } = await prepared!.measure();
    const { runs } = results as { runs: DownloadRun[] };
    expect(runs.map(({ failure }) => failure)).toEqual([null, null]);
    expect(new Set(runs.map(({ sha256 }) => sha256)).size).toBe(1);
    expect(runs.find(({ way }) => way === 'fwp')?.fwp?.holes).toBeGreaterThan(0);
    expect(table).toContain('| independent | 2 % | reno | 1 |');
    expect(Object.keys(pictures ?? {})).toEqual(['download-independent']);
  });
});
