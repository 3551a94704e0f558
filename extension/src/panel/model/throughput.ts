import { seenRate } from '../../../../shared/src/estimation/seenRate.ts';
import type { Phase } from './phases.ts';

/** Of the drawing: longer than a round trip of most links, shorter than what a person calls a pause. */
export const BUCKET_MS = 100;
/** The rate is reckoned at each update, with every two of them. */
const MAX_RATED = 128;
const BITS_PER_BYTE = 8;
const MS_PER_SECOND = 1_000;

/** What came when, of one request. */
export interface Transfer {
  readonly phases: readonly Phase[];
  /** That came over the network. */
  readonly bytes: number;
  readonly isNeeded: boolean;
}

/** Bytes of each bucket since the navigation's start. */
export interface Throughput {
  readonly neededBytes: readonly number[];
  readonly otherBytes: readonly number[];
}

/** The bytes of a request that had come by then; in between they are taken to come evenly while nothing stops them. */
export function bytesBefore({ phases, bytes }: Transfer, atMs: number): number {
  const transfers = phases.filter(({ kind }) => kind === 'transfer');
  const total = transfers.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const last = phases.at(-1);
  if (last === undefined || bytes === 0) return 0;
  // all came at a stroke
  if (total === 0) return last.toMs < atMs ? bytes : 0;
  const passed = transfers.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, Math.min(toMs, atMs) - fromMs), 0);
  return (bytes * passed) / total;
}

/** @param untilMs of the last bucket */
export function throughputOf(transfers: readonly Transfer[], untilMs: number): Throughput {
  const length = Math.max(0, Math.ceil(untilMs / BUCKET_MS));
  const needed = new Float64Array(length);
  const other = new Float64Array(length);
  for (const transfer of transfers) spread(transfer, transfer.isNeeded ? needed : other);
  return { neededBytes: [...needed], otherBytes: [...other] };
}

/** Puts the bytes of one request into the buckets of its time, and no other ones. */
function spread(transfer: Transfer, buckets: Float64Array): void {
  const last = transfer.phases.at(-1);
  const first = transfer.phases.find(({ kind }) => kind === 'transfer') ?? last;
  if (first === undefined || last === undefined) return;
  const from = Math.max(0, Math.floor(first.fromMs / BUCKET_MS));
  const to = Math.min(buckets.length - 1, Math.floor(last.toMs / BUCKET_MS));
  let before = bytesBefore(transfer, from * BUCKET_MS);
  for (let bucket = from; bucket <= to; bucket += 1) {
    const by = bytesBefore(transfer, (bucket + 1) * BUCKET_MS);
    buckets[bucket] = (buckets[bucket] ?? 0) + by - before;
    before = by;
  }
}

/** The highest rate at which the larger ones of these were seen to come, in bits a second; null when nothing came. */
export function observedRate(transfers: readonly Transfer[]): number | null {
  const larger = transfers.toSorted((a, b) => b.bytes - a.bytes).slice(0, MAX_RATED);
  const arrivals = larger.flatMap(({ phases, bytes }) => {
    const coming = phases.filter(({ kind }) => kind === 'wait' || kind === 'transfer' || kind === 'stop');
    const [first, last] = [coming[0], coming.at(-1)];
    return bytes === 0 || first === undefined || last === undefined ? [] : [{ fromMs: first.fromMs, toMs: last.toMs, bytes }];
  });
  return seenRate(arrivals, 0);
}

export function rateOf(bytes: number, lastsMs: number): number {
  return (bytes * BITS_PER_BYTE * MS_PER_SECOND) / lastsMs;
}
