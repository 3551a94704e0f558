import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';

/** What the browser has recorded of a document's load; milliseconds after navigation start. */
export interface LoadRecords {
  /** When the document itself had come. */
  readonly documentMs: number;
  readonly domContentLoadedMs: number;
  readonly fcpMs: number;
  /** Null where the browser tells of none. */
  readonly lcpMs: number | null;
  /** When the last fonts were there, those that the browser tells no page of among them; null for none. */
  readonly fontsMs: number | null;
  /** When each response had come, by URL: objects of the first screen and others. */
  readonly endsMs: ReadonlyMap<string, number>;
  /** By what the final layout of the first screen shows. */
  readonly needed: readonly NeededObject[];
}

export interface FirstScreenTime {
  readonly isrtMs: number;
  /** URLs of those that count, and of which the browser tells no time. */
  readonly untimed: ReadonlySet<string>;
}

/**
 * A paint later than this after all that can have held it back waited for a timer (a slide show), not for the network:
 * as in the benchmark (e2e/analysis/isrt.ts).
 */
const TIMER_AFTER_MS = 1_000;

/**
 * Initial-screen response time as far as a browser tells of it: the last object that the first screen needs has come,
 * and its first and its largest content are painted. docs/benchmarks.md says how it differs from the benchmark's.
 */
export function firstScreenTime({ documentMs, domContentLoadedMs, fcpMs, lcpMs, fontsMs, endsMs, needed }: LoadRecords): FirstScreenTime {
  // a script that came later can not have held up the parser
  const held = needed.filter(({ url, kind }) => kind !== 'script' || (endsMs.get(url) ?? 0) <= domContentLoadedMs);
  const arrivals = held.flatMap(({ url }) => endsMs.get(url) ?? []);
  const untimed = new Set(held.flatMap(({ url }) => (endsMs.has(url) ? [] : url)));
  const paints = [fcpMs, ...(lcpMs !== null && !waitedForTimer(lcpMs, [documentMs, ...endsMs.values()]) ? [lcpMs] : [])];
  return { isrtMs: Math.max(documentMs, fontsMs ?? 0, ...arrivals, ...paints), untimed };
}

function waitedForTimer(paintMs: number, arrivalsMs: readonly number[]): boolean {
  const cause = arrivalsMs.filter((arrivalMs) => arrivalMs <= paintMs);
  return paintMs - Math.max(0, ...cause) > TIMER_AFTER_MS;
}
