import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { OPTIONS } from './options.ts';
import type { BulkRun, ProgramRun } from './plan.ts';
import { busyAfterWarmUp, busySeconds } from './processorTime.ts';
import { programTime } from './programTimes.ts';
import { markdownTable, summarizeBulk, summarizePrograms } from './summary.ts';

const link = (id: number, hook: string): string => `pos:\t0\nlink_type:\ttcx\nlink_id:\t7\nprog_tag:\tabc\nprog_id:\t${id}\nifindex:\t2\nattach_type:\t46 (${hook})\n`;
const program = (id: number, ns: number, packets: number): string => `pos:\t0\nprog_type:\t3\nprog_jited:\t1\nprog_id:\t${id}\nrun_time_ns:\t${ns}\nrun_cnt:\t${packets}\n`;

describe('the benchmark of cost', () => {
  it('has a gigabit unless told otherwise', () => {
    expect(OPTIONS.parse([], 'out/x')).toEqual({ mbitPerSecond: 1_000, congestion: 'cubic', seconds: 5, rounds: 10, seed: 1, out: 'out/x' });
    expect(() => OPTIONS.parse(['--rate', '-1'], 'x')).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });

  it('finds the time of the program by its link', () => {
    const files = ['pos:\t0\n', program(12, 500, 2), program(11, 900, 3), link(11, 'egress')];
    expect(programTime(files)).toEqual({ packets: 3, ns: 900 });
    expect(() => programTime(files.slice(0, 3))).toThrow('tcx');
  });

  it('counts processors as busy that neither idle nor wait', () => {
    expect(busySeconds('cpu  100 20 30 9999 9999 40 10 9999 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n')).toBe(2);
  });

  it('leaves out what a warm-up costs, as its bytes are', async () => {
    let ticks = 500;
    const flows = sleep(200).then(() => (ticks += 200)).then(() => 'flows');
    expect(await busyAfterWarmUp(flows, 10, () => Promise.resolve(`cpu  ${ticks} 0 0 0 0 0 0 0 0 0\n`))).toEqual({ result: 'flows', processorSeconds: 2 });
    await expect(busyAfterWarmUp(Promise.reject(new Error('a flow ended by itself')), 60_000, () => Promise.resolve('cpu 0'))).rejects.toThrow('a flow ended');
  });

  const took = (round: number, ns: number): ProgramRun => ({ round, traffic: 'requests', isRegistered: true, packets: 10, ns });
  const bulk = (round: number, hasDriver: boolean, bytes: number): BulkRun => ({ round, bulk: 'bulk up', hasDriver, bytes, seconds: 1, processorSeconds: 1 });

  it('has the mean time of a packet, and throughput of pairs', () => {
    const programs = summarizePrograms([took(0, 1_000), took(1, 3_000)], 1);
    expect(programs.find(({ packets }) => packets > 0)).toMatchObject({ traffic: 'requests', isRegistered: true, packets: 20, nsPerPacket: { value: 200, low: 100, high: 300 } });
    const [up, down] = summarizeBulk([bulk(0, false, 125_000_000), bulk(0, true, 100_000_000), bulk(1, true, 125_000_000), bulk(1, false, 125_000_000)], 1);
    expect(up).toMatchObject({ rounds: 2, throughput: [1_000, 900], throughputRatio: { value: 0.9, low: 0.8, high: 1 }, processorSecondsPerGB: [8, 9] });
    expect(down).toMatchObject({ rounds: 0 });
    const text = markdownTable(programs, up === undefined ? [] : [up], ['head']);
    expect(text).toContain('| requests | yes | 20 | 200 [100, 300] |');
    expect(text).toContain('| bulk up | 2 | 1000 | 900 | 0.900 [0.800, 1.000] | 8.00 | 9.00 |');
  });
});
