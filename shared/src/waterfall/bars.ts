import type { RequestWay, Span } from '../requests/requestWays.ts';

/** One request in a drawing, in milliseconds after the navigation's start. */
export interface BarTimes {
  /** Since when it waited to be sent; null where it did not, or that is not known. */
  readonly waitFromMs: number | null;
  /** It was sent, or as near to that as is known. */
  readonly startMs: number;
  /** Null where that is not known. */
  readonly firstByteMs: number | null;
  readonly endMs: number;
  /** While nothing more of it was to come. */
  readonly stops: readonly ClosedSpan[];
}

export interface ClosedSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A bar on the connection that carries it. */
export interface LaneBar extends BarTimes {
  readonly server: string;
  /** Names one of the server's connections. */
  readonly connection: string;
}

/** A bar in a row of its lane, from 0. */
export type Placed<B> = B & { readonly row: number };

/** A connection. */
export interface Lane<B extends LaneBar> {
  readonly server: string;
  readonly connection: string;
  /** While it was being made; null where that is not known. */
  readonly opening: Span | null;
  readonly rows: number;
  readonly bars: readonly Placed<B>[];
}

/** Less is no wait, and two bars so near are drawn as neighbours. */
const MIN_GAP_MS = 2;

/** What somebody else than the helper knows of a request. */
export interface SeenTimes {
  readonly startMs: number;
  readonly firstByteMs: number | null;
  readonly endMs: number;
}

/** When a request waited, was sent and came, as who has seen it and the helper know together. @param way by the helper; null where nothing is known of it */
export function barTimes(seen: SeenTimes, way: RequestWay | null): BarTimes {
  const { endMs } = seen;
  const startMs = Math.min(endMs, way?.sentMs ?? seen.startMs);
  const knownMs = Math.min(way?.foreseenMs ?? Infinity, way?.askedMs ?? Infinity);
  const firstByteMs = seen.firstByteMs ?? way?.firstByteMs ?? null;
  const stops = (way?.stops ?? []).map(({ fromMs, toMs }) => ({ fromMs: Math.max(startMs, fromMs), toMs: Math.min(endMs, toMs ?? endMs) })).filter(({ fromMs, toMs }) => fromMs < toMs);
  return {
    startMs, endMs, stops,
    waitFromMs: startMs - knownMs >= MIN_GAP_MS ? knownMs : null,
    firstByteMs: firstByteMs === null ? null : Math.min(endMs, Math.max(startMs, firstByteMs)),
  };
}

/** When a request began to be drawn. */
export function beginOf({ waitFromMs, startMs }: BarTimes): number {
  return waitFromMs ?? startMs;
}

/** When bytes could come: between the first and the last, without the stops. */
export function coming(fromMs: number, toMs: number, stops: readonly ClosedSpan[]): ClosedSpan[] {
  const spans: ClosedSpan[] = [];
  let since = fromMs;
  for (const stop of stops) {
    if (stop.fromMs > since) spans.push({ fromMs: since, toMs: Math.min(toMs, stop.fromMs) });
    since = Math.max(since, stop.toMs);
  }
  if (since < toMs || spans.length === 0) spans.push({ fromMs: since, toMs: Math.max(since, toMs) });
  return spans;
}

/** The connections of a load, those of a server together, in the order of their first requests. @param openingOf a connection that carried these */
export function lanesOf<B extends LaneBar>(bars: readonly B[], openingOf: (bars: readonly B[]) => Span | null): Lane<B>[] {
  const servers = Map.groupBy(bars.toSorted((a, b) => a.startMs - b.startMs), ({ server }) => server);
  return [...servers].flatMap(([server, ofServer]) =>
    [...Map.groupBy(ofServer, ({ connection }) => connection)].map(([connection, ofConnection]) => ({ server, connection, opening: openingOf(ofConnection), ...inRows(ofConnection) })),
  );
}

/** Each bar in the first row that is free for it. */
function inRows<B extends BarTimes>(bars: readonly B[]): { readonly rows: number; readonly bars: readonly Placed<B>[] } {
  const ends: number[] = [];
  const placed = bars.toSorted((a, b) => beginOf(a) - beginOf(b)).map((bar) => {
    const free = ends.findIndex((endMs) => endMs + MIN_GAP_MS <= beginOf(bar));
    const row = free < 0 ? ends.length : free;
    ends[row] = bar.endMs;
    return { ...bar, row };
  });
  return { rows: ends.length, bars: placed };
}
