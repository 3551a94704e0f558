import { describe, expect, it } from 'vitest';
import { OPTIONS } from './options.ts';
import type { Way } from './plan.ts';
import type { SpoolRun } from './run.ts';
import { markdownTable, summarize } from './summary.ts';

describe('the benchmark of the spool', () => {
  it('has a satellite link with and without loss, both congestion controls, a tuned and a small buffer, unless told otherwise', () => {
    expect(OPTIONS.parse([], 'out/x')).toMatchObject({ profile: 'sat', losses: [0.03, 0], congestion: ['bbr', 'cubic'], patterns: ['steady', 'halts', 'on-off'], receiveBuffers: [null, 65_536], out: 'out/x' });
    expect(OPTIONS.parse(['--patterns', 'on-off', '--receive-buffers', '8192,default', '--rounds', '2'], 'x')).toMatchObject({ patterns: ['on-off'], receiveBuffers: [8_192, null], rounds: 2 });
  });

  it.each([['--patterns', 'never'], ['--receive-buffers', 'large'], ['--receive-buffers', '1'], ['--losses', '1'], ['--bytes', '0']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  const condition = { loss: 0, congestion: 'bbr', pattern: 'on-off', receiveBuffer: null } as const;
  const run = (way: Way, round: number, ms: number): SpoolRun => ({ ...condition, way, round, ms, redirected: way === 'spool' ? 1 : 0 });

  it('compares the two of a pair, and leaves out what has no other', () => {
    const runs = [run('stock', 0, 100), run('spool', 0, 50), run('spool', 1, 100), run('stock', 1, 400), run('spool', 2, 1), { ...run('spool', 0, 7), loss: 0.5 }];
    const rows = summarize(runs, [condition], 1);
    expect(rows).toEqual([{ ...condition, pairs: 2, stockMs: 250, spoolMs: 75, ratio: { value: 0.375, low: 0.25, high: 0.5 } }]);
    expect(markdownTable(rows, ['head'])).toContain("| on-off | TCP's own | 0 % | bbr | 2 | 0.3 | 0.1 | 0.38 [0.25, 0.50] | 167 % |");
  });
});
