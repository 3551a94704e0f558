import { describe, expect, it } from 'vitest';
import type { Ends } from '../arguments.ts';
import { counters, NOTHING_CARRIED } from '../testRuns.ts';
import { parseOptions } from './options.ts';
import { markdownTable, summarize, type AmRun } from './summary.ts';

const run = (ends: Ends, round: number, upBytes: number, split = 0): AmRun => ({
  ...NOTHING_CARRIED, ends, round, bitErrorRate: 1e-5, congestion: 'reno',
  flows: [{ kind: 'both', port: 8081, seconds: 1, upBytes, downBytes: 125_000, requests: 0 }],
  near: ends === 'none' ? null : counters({}, { acknowledgementsSplit: split }),
});
const OPTIONS = { bitErrorRates: [1e-5], congestion: ['reno'], ends: ['none', 'client'], seed: 1 } as const;

describe('the benchmark of AM', () => {
  it('compares stock ends with AM at one and at both, at the errors of the report', () => {
    expect(parseOptions([], 'out/x')).toEqual({
      profile: '5000kbit-50ms', link: [], bitErrorRates: [1e-6, 5e-6, 1e-5, 1.5e-5], congestion: ['cubic'], ends: ['none', 'client', 'both'], seconds: 20, rounds: 10, parallel: 2, seed: 1, out: 'out/x',
    });
    expect(parseOptions(['--help'], 'x')).toBeNull();
  });

  it.each([['--ber', '2'], ['--seconds', '0'], ['--rounds', 'x'], ['--ends', 'server'], ['--count', '5']])('refuses %s %s', (...argv) => {
    expect(() => parseOptions(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  it('has the ratio of throughput each way, of the same rounds', () => {
    const rows = summarize([run('none', 0, 125_000), run('none', 1, 125_000), run('none', 2, 9_000_000), run('client', 0, 250_000, 30), run('client', 1, 125_000, 10)], OPTIONS);
    expect(rows[0]).toMatchObject({ ends: 'none', rounds: 3, ratios: null, splitPercent: 0 });
    expect(rows[1]).toMatchObject({ ends: 'client', throughput: [1.5, 1, 2.5], splitPercent: 2 });
    expect(rows[1]?.ratios?.map(({ value }) => value)).toEqual([1.5, 1, 1.25]);
    expect(rows[1]?.ratios?.[0]).toMatchObject({ low: 1, high: 2 });
    expect(markdownTable(rows, ['head'])).toContain('| reno | 0.00001 | client | 2 | 1.50 | 1.00 | 2.50 | 1.50 [1.00, 2.00] |');
  });
});
