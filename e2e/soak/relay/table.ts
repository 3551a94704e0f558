import { quantile } from '../../../shared/src/statistics/statistics.ts';
import { tableLines } from '../../report/markdown.ts';
import { FAULTS, MODES } from './plan.ts';
import type { Load } from './soak.ts';

/** Whether something of a load is missing or wrong, or its form was sent twice. */
export function isWhole({ violations, posts }: Load): boolean {
  return violations.length === 0 && posts <= 1;
}

/** A line for each mode and fault. Pure. */
export function tableOf(loads: readonly Load[]): string {
  const rows = MODES.flatMap((mode) => FAULTS.map((fault) => {
    const some = loads.filter((load) => load.mode === mode && load.fault === fault);
    if (some.length === 0) return [];
    const added = some.map(({ ms, calmMs }) => ms - calmMs);
    const times = [0.5, 0.95, 1].map((share) => `${Math.round(quantile(added, share))} ms`);
    const counts = [some, some.filter(isWhole), some.filter(({ posts }) => posts > 1), some.filter(({ isPosted }) => !isPosted)].map(({ length }) => String(length));
    return [[mode, fault, ...counts, ...times, `${Math.round(quantile(some.map(({ relayedBytes }) => relayedBytes), 0.5) / 1000)} kB`]];
  }));
  return tableLines(['mode', 'fault', 'loads', 'whole', 'POST twice', 'POST told as lost', 'added, median', 'p95', 'most', 'by the relay'], rows.flat()).join('\n');
}
