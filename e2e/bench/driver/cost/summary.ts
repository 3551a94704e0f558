import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { estimateText, mbitPerSecond, mean, pairsOf, ratioOfTotals, tableText, total } from '../comparison.ts';
import { BULK, TRAFFIC, type BulkRun, type ProgramRun } from './plan.ts';

export interface ProgramRow {
  readonly traffic: (typeof TRAFFIC)[number];
  readonly isRegistered: boolean;
  readonly packets: number;
  readonly nsPerPacket: Estimate;
}

/** Rounds as rows. Pure. */
export function summarizePrograms(runs: readonly ProgramRun[], seed: number): ProgramRow[] {
  return TRAFFIC.flatMap((traffic) => [true, false].map((isRegistered) => {
    const own = runs.filter((run) => run.traffic === traffic && run.isRegistered === isRegistered);
    const nsPerPacket = bootstrap(own, (sample) => total(sample.map(({ ns }) => ns)) / total(sample.map(({ packets }) => packets)), seededRandom(seed));
    return { traffic, isRegistered, packets: total(own.map(({ packets }) => packets)), nsPerPacket };
  }));
}

const BYTES_PER_GB = 1_000_000_000;

export interface BulkRow {
  readonly bulk: (typeof BULK)[number];
  readonly rounds: number;
  /** Mean Mbit/s without the driver, and with it. */
  readonly throughput: readonly [number, number];
  readonly throughputRatio: Estimate;
  /** Of the whole machine. */
  readonly processorSecondsPerGB: readonly [number, number];
  readonly processorRatio: Estimate;
}

/** Rounds as rows. Pure. */
export function summarizeBulk(runs: readonly BulkRun[], seed: number): BulkRow[] {
  return BULK.map((bulk) => {
    const [without, having] = [false, true].map((hasDriver) => runs.filter((run) => run.bulk === bulk && run.hasDriver === hasDriver)) as [BulkRun[], BulkRun[]];
    const ratio = (value: (run: BulkRun) => number): Estimate => ratioOfTotals(pairsOf(having, without, value), seed);
    const means = (value: (run: BulkRun) => number): [number, number] => [mean(without.map(value)), mean(having.map(value))];
    return { bulk, rounds: having.length, throughput: means(throughput), throughputRatio: ratio(throughput), processorSecondsPerGB: means(processor), processorRatio: ratio(processor) };
  });
}

function throughput({ bytes, seconds }: BulkRun): number {
  return mbitPerSecond(bytes, seconds);
}

function processor({ bytes, processorSeconds }: BulkRun): number {
  return (processorSeconds * BYTES_PER_GB) / bytes;
}

/** As Markdown, for docs/results. */
export function markdownTable(programs: readonly ProgramRow[], bulk: readonly BulkRow[], head: readonly string[]): string {
  const programCells = programs.map(({ traffic, isRegistered, packets, nsPerPacket }) => [
    traffic, isRegistered ? 'yes' : 'no', String(packets), estimateText(nsPerPacket, (ns) => ns.toFixed(0)),
  ]);
  const bulkCells = bulk.map((row) => [
    row.bulk, String(row.rounds), ...row.throughput.map((rate) => rate.toFixed(0)), estimateText(row.throughputRatio, (ratio) => ratio.toFixed(3)), ...row.processorSecondsPerGB.map((seconds) => seconds.toFixed(2)), estimateText(row.processorRatio),
  ]);
  return [
    ...head.flatMap((text) => [text, '']),
    tableText(['traffic', 'registered', 'packets', 'ns a packet'], programCells),
    tableText(['transfer', 'n', 'without driver, Mbit/s', 'with', 'ratio', 'processor s a GB without', 'with', 'ratio'], bulkCells),
  ].join('\n');
}
