/** What is used of a complete ("X") trace event: Chromium's trace event format, times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread, which does not grow while another process has the core. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly url?: string } };
}

/** Each entry into JavaScript from outside: a script's first run, an event, a timer, a frame, a message. */
const ENTRIES: ReadonlySet<string> = new Set(['EvaluateScript', 'FunctionCall']);
const US_PER_MS = 1000;

/**
 * Processor time of everything that functions of a matching script did or called: DOM methods, forced style and layout, page code. Continuations of
 * promises run outside of entries and are not counted.
 */
export function scriptTimeMs(events: readonly TraceEvent[], isOurs: (url: string) => boolean): number {
  const ours = events.filter(({ ph, name, args }) => ph === 'X' && ENTRIES.has(name) && isOurs(args?.data?.url ?? '')).toSorted((a, b) => a.ts - b.ts);
  const endByThread = new Map<string, number>();
  let us = 0;
  for (const { pid, tid, ts, dur = 0, tdur = 0 } of ours) {
    const thread = `${pid}:${tid}`;
    // inside of one that is counted already
    if (ts < (endByThread.get(thread) ?? Number.NEGATIVE_INFINITY)) continue;
    endByThread.set(thread, ts + dur);
    us += tdur;
  }
  return us / US_PER_MS;
}
