import { pagedEstimates, pairedRatios, type Observation } from '../../../shared/src/statistics/pairedRatios.ts';
import { seededRandom, type Random } from '../../../shared/src/statistics/random.ts';
import { bootstrap, median, type Estimate } from '../../../shared/src/statistics/statistics.ts';
import type { BodyRound, MemoryRound, ReaderRun, Results, SmallRound } from './results.ts';
import { SMALL_KINDS, WAYS, type Way } from './ways.ts';

/** Medians over rounds with their bootstrap intervals. Null: the way was not measured so. */
export interface SmallRow {
  readonly kind: string;
  readonly way: Way;
  readonly medianMs: Estimate;
  /** Median over rounds of (this way's median - direct's median of the same round). */
  readonly addedMs: Estimate | null;
  readonly p95Ms: number;
  readonly perSecond: Estimate;
  /** Requests a second against mitmproxy's of the same round. */
  readonly ratioToMitmproxy: Estimate | null;
  readonly processorMs: number | null;
}

export interface BodyRow {
  readonly way: Way;
  readonly bytesPerSecond: Estimate;
  readonly ratioToMitmproxy: Estimate | null;
  readonly ratioToStreaming: Estimate | null;
  /** Of the proxy's process, for the whole body. */
  readonly processorMs: number | null;
  readonly peakBytes: number | null;
}

export interface MemoryRow {
  readonly way: Way;
  readonly idleBytes: number;
  /** The largest of all rounds, for a bound is a bound. */
  readonly peakBytes: number;
  readonly takenBytes: number;
  readonly ms: number;
}

export interface ReaderRow {
  readonly receiveBufferBytes: number;
  readonly measure: 'totalMs' | 'deliveredMs' | 'serverMs';
  readonly direct: Estimate;
  readonly firstscreen: Estimate;
  /** Ours / direct, of pairs. */
  readonly ratio: Estimate;
}

export interface Summary {
  readonly small: readonly SmallRow[];
  readonly body: readonly BodyRow[];
  readonly memory: readonly MemoryRow[];
  readonly reader: readonly ReaderRow[];
}

type Measured = Pick<Results, 'small' | 'body' | 'memory' | 'reader'>;
const MS_PER_S = 1_000;
const READER_MEASURES = ['totalMs', 'deliveredMs', 'serverMs'] as const;

/** Rounds as rows. Pure; the intervals come from the seed. */
export function summarize({ small, body, memory, reader }: Measured, seed: number): Summary {
  const random = seededRandom(seed);
  return {
    small: SMALL_KINDS.flatMap(({ name }) => smallRows(small.filter(({ kind }) => kind === name), name, random)),
    body: present(body).map((way) => bodyRow(body, way, random)),
    memory: present(memory).map((way) => memoryRow(memory.filter((round) => round.way === way), way)),
    reader: [...new Set(reader.map(({ receiveBufferBytes }) => receiveBufferBytes))]
      .toSorted((a, b) => b - a)
      .flatMap((bound) => READER_MEASURES.map((measure) => readerRow(reader.filter(({ receiveBufferBytes }) => receiveBufferBytes === bound), bound, measure, random))),
  };
}

/** Median of the paired ratios of two ways with its interval; null when no round has both. */
export function ratioOf(observations: readonly Observation[], way: string, baseline: string, random: Random): Estimate | null {
  return pagedEstimates(pairedRatios(observations, way, baseline), random)[0]?.ratio ?? null;
}

function smallRows(rounds: readonly SmallRound[], kind: string, random: Random): SmallRow[] {
  const rates = rounds.map(({ way, run, perSecond }): Observation => ({ page: kind, scheme: way, run, value: perSecond }));
  const directMs = new Map(rounds.filter(({ way }) => way === 'direct').map(({ run, medianMs }) => [run, medianMs]));
  return present(rounds).map((way) => {
    const own = rounds.filter((round) => round.way === way);
    const addedMs = own.flatMap(({ run, medianMs }) => {
      const stock = directMs.get(run);
      return stock === undefined ? [] : [medianMs - stock];
    });
    return {
      kind, way,
      medianMs: estimate(own.map(({ medianMs }) => medianMs), random),
      addedMs: way === 'direct' || addedMs.length === 0 ? null : estimate(addedMs, random),
      p95Ms: median(own.map(({ p95Ms }) => p95Ms)),
      perSecond: estimate(own.map(({ perSecond }) => perSecond), random),
      ratioToMitmproxy: ratioOf(rates, way, 'mitmproxy', random),
      processorMs: medianOrNull(own.map(({ processorMs }) => processorMs)),
    };
  });
}

function bodyRow(rounds: readonly BodyRound[], way: Way, random: Random): BodyRow {
  const own = rounds.filter((round) => round.way === way);
  const rates = rounds.map((round): Observation => ({ page: 'body', scheme: round.way, run: round.run, value: rateOf(round) }));
  return {
    way,
    bytesPerSecond: estimate(own.map(rateOf), random),
    ratioToMitmproxy: ratioOf(rates, way, 'mitmproxy', random),
    ratioToStreaming: ratioOf(rates, way, 'mitmproxy-stream', random),
    processorMs: medianOrNull(own.map(({ processorMs }) => processorMs)),
    peakBytes: own.reduce<number | null>((most, { peakBytes }) => (peakBytes === null ? most : Math.max(most ?? 0, peakBytes)), null),
  };
}

function memoryRow(own: readonly MemoryRound[], way: Way): MemoryRow {
  return {
    way,
    idleBytes: median(own.map(({ idleBytes }) => idleBytes)),
    peakBytes: Math.max(...own.map(({ peakBytes }) => peakBytes)),
    takenBytes: median(own.map(({ takenBytes }) => takenBytes)),
    ms: median(own.map(({ ms }) => ms)),
  };
}

function readerRow(runs: readonly ReaderRun[], receiveBufferBytes: number, measure: ReaderRow['measure'], random: Random): ReaderRow {
  const observations = runs.map((run): Observation => ({ page: 'reader', scheme: run.way, run: run.run, value: run[measure] }));
  const of = (way: ReaderRun['way']): Estimate => estimate(runs.filter((run) => run.way === way).map((run) => run[measure]), random);
  const none = { value: Number.NaN, low: Number.NaN, high: Number.NaN };
  return { receiveBufferBytes, measure, direct: of('direct'), firstscreen: of('firstscreen'), ratio: ratioOf(observations, 'firstscreen', 'direct', random) ?? none };
}

function estimate(values: readonly number[], random: Random): Estimate {
  return bootstrap(values, median, random);
}

function rateOf({ bytes, ms }: BodyRound): number {
  return (bytes / ms) * MS_PER_S;
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : median(known);
}

/** In the order of the table. */
function present(rounds: readonly { readonly way: Way }[]): Way[] {
  return WAYS.filter((way) => rounds.some((round) => round.way === way));
}
