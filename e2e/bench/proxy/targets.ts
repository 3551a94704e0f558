import type { Summary } from './summary.ts';

/** One of issue 3's expectations against what was measured. */
export interface Verdict {
  readonly what: string;
  readonly target: string;
  readonly value: number;
  readonly unit: string;
  readonly verdict: 'met' | 'missed';
}

const OURS = ['firstscreen', 'firstscreen-conv'] as const;
const MAX_ADDED_MS = 0.5;
const MIN_RATIO = 5;
const MAX_RESIDENT_MB = 150;
const BYTES_PER_MB = 1_000_000;

/** Judges what was measured; what was not is left out. A value that is no number misses. Pure. */
export function judge({ small, body, memory }: Summary): Verdict[] {
  return OURS.flatMap((ours) => [
    ...small.filter(({ way, addedMs }) => way === ours && addedMs !== null).filter(({ kind }) => kind.startsWith('1 '))
      .map(({ kind, addedMs }) => below(`${ours}: added latency, ${kind}`, addedMs?.value, MAX_ADDED_MS, 'ms')),
    ...small.filter(({ way, ratioToMitmproxy }) => way === ours && ratioToMitmproxy !== null)
      .map(({ kind, ratioToMitmproxy }) => atLeast(`${ours}: requests a second against mitmproxy, ${kind}`, ratioToMitmproxy?.value)),
    ...body.filter(({ way }) => way === ours).flatMap(({ ratioToMitmproxy, ratioToStreaming }) => [
      atLeast(`${ours}: large body against mitmproxy`, ratioToMitmproxy?.value), atLeast(`${ours}: large body against mitmproxy that streams`, ratioToStreaming?.value),
    ]),
    ...memory.filter(({ way }) => way === ours).map(({ peakBytes }) => below(`${ours}: resident memory at most, reader stopped`, peakBytes / BYTES_PER_MB, MAX_RESIDENT_MB, 'MB')),
  ]);
}

function below(what: string, value = Number.NaN, limit: number, unit: string): Verdict {
  return { what, target: `< ${limit}`, value, unit, verdict: value < limit ? 'met' : 'missed' };
}

function atLeast(what: string, value = Number.NaN): Verdict {
  return { what, target: `>= ${MIN_RATIO}`, value, unit: 'x', verdict: value >= MIN_RATIO ? 'met' : 'missed' };
}
