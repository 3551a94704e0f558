import { describe, expect, it } from 'vitest';
import type { Station } from './air.ts';
import { OPTIONS } from './options.ts';
import { throughput } from './subject.ts';
import { markdownTable, summarize, type ThroughputRun } from './summary.ts';

describe('the benchmark of throughput', () => {
  it("has the paper's stations, ten runs of two minutes, and A-MPDUs of three sizes, unless told otherwise", () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({
      frameErrorRates: [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5], contended: [0.1, 0.2, 0.4], stations: 9, sizes: ['32/32', '64/64', '64/32'], seconds: 120, runs: 10, parallel: 2, seed: 1, out: 'out/x',
    });
  });

  it.each([['--fer', '0.2,0.1'], ['--fer', '1'], ['--contended', 'all'], ['--stations', '0'], ['--ampdu', '65/65'], ['--ampdu', '32/64'], ['--seconds', '0']])('refuses %s %s', (...argv) => {
    expect(() => OPTIONS.parse(argv, 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  const contention = { frameErrorRate: 0.1, stations: 2, size: '64/64' };
  const station = (scheme: Station['scheme'], mbit: number): Station => ({ scheme, bitsPerSecond: mbit * 1e6, framesReceived: 1, framesSent: 1, opportunities: 1 });
  const run = (seed: number, fwp: number): ThroughputRun => ({ ...contention, seed, results: [station('fwp', fwp), station('ampdu', 10), station('ampdu', 20)] });

  it('compares the station with FWP with the mean of the others', () => {
    const rows = summarize([run(1, 30), run(2, 60), { ...run(3, 1), stations: 1 }], [contention], 1);
    expect(rows).toMatchObject([{ ...contention, runs: 2, fwpMbit: { value: 45 }, ampduMbit: { value: 15 }, speedUp: { value: 3, low: 2, high: 4 } }]);
    expect(markdownTable(rows, ['head'])).toContain('| 64/64 | 2 | 0.1 | 2 | 45.00 [30.00, 60.00] | 15.00 [15.00, 15.00] | 0.33 | 3.00 [2.00, 4.00] |');
  });

  it('runs the model, and draws both figures', async () => {
    const prepared = throughput.prepare(['--fer', '0,0.2', '--contended', '0.2', '--stations', '2', '--ampdu', '32/32', '--seconds', '2', '--runs', '2'], 'out/x');
    const measured = await prepared!.measure();
    expect(measured.rounds).toBe(2);
    expect(measured.table.match(/^\| 32\/32 \|/gm)).toHaveLength(3);
    expect(Object.keys(measured.pictures ?? {})).toEqual(['throughput-32-32', 'stations-32-32']);
    expect(measured.pictures?.['stations-32-32']?.text).toContain('frame error rate 0.2');
    const rows = summarize((measured.results as { runs: ThroughputRun[] }).runs, [{ frameErrorRate: 0, stations: 2, size: '32/32' }, { frameErrorRate: 0.2, stations: 2, size: '32/32' }], 1);
    // without losses aggregates of one size bring the same; with losses windows stall
    expect(rows[0]?.speedUp.value).toBeCloseTo(1, 0);
    expect(rows[1]?.speedUp.value).toBeGreaterThan(1.4);
  });
});
