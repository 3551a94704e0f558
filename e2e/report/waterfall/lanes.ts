import { requestWays, type RequestWay, type Span } from '../../../shared/src/requests/requestWays.ts';
import type { LoadArtifact, ServedObject } from './loadArtifact.ts';

/** What an object is to the first screen, as the final layout tells. */
export type ObjectRole = 'layout' | 'inView' | 'other';

/** One request in the drawing, in milliseconds after the navigation's start. */
export interface Bar {
  readonly served: ServedObject;
  /** Through the helper; null where nothing is known of it. */
  readonly way: RequestWay | null;
  readonly role: ObjectRole;
  /** Place in its lane, from 0. */
  readonly row: number;
  /** Since when it waited to be sent; null where it did not, or that is not known. */
  readonly waitFromMs: number | null;
  /** It was sent, or without a record its server has got it. */
  readonly startMs: number;
  /** Null where that is not known. */
  readonly firstByteMs: number | null;
  /** Its last byte was delivered. */
  readonly endMs: number;
  /** While its server was to send nothing more. */
  readonly stops: readonly { readonly fromMs: number; readonly toMs: number }[];
}

/** A connection. */
export interface Lane {
  readonly server: string;
  /** While it was being made; null where that is not known. */
  readonly opening: Span | null;
  readonly rows: number;
  readonly bars: readonly Bar[];
}

const IMAGE_KINDS: ReadonlySet<string> = new Set(['image', 'background', 'poster', 'svg', 'input']);
/** Less is no wait, and two bars so near are drawn as neighbours. */
const MIN_GAP_MS = 2;

/** The connections of a load, those of a server together, in the order of their first requests. */
export function lanes({ requests, needed, record }: LoadArtifact): Lane[] {
  const ways = requestWays(record ?? []);
  const wayOf = matched(requests, ways.requests);
  const roles = new Map(needed.map(({ url, kind }) => [url, IMAGE_KINDS.has(kind) ? 'inView' : 'layout'] as const));
  const drawn = requests.flatMap((served) => {
    const bar = barOf(served, wayOf.get(served) ?? null, roles.get(served.url) ?? 'other');
    return bar === null ? [] : [bar];
  });
  const inOrder = drawn.toSorted((a, b) => a.startMs - b.startMs);
  const servers = Map.groupBy(inOrder, ({ served }) => serverOf(served.url));
  return [...servers].flatMap(([server, ofServer]) =>
    [...Map.groupBy(ofServer, ({ served }) => served.connection).values()].map((bars) => {
      const id = bars.find(({ way }) => way !== null)?.way?.connection;
      const opening = ways.connections.find(({ connection }) => connection === id) ?? null;
      return { server, opening, ...inRows(bars) };
    }),
  );
}

/** The helper's way of each request that a server has seen: of several for the same URL the first is the first. */
function matched(requests: readonly ServedObject[], ways: readonly RequestWay[]): Map<ServedObject, RequestWay> {
  const sent = Map.groupBy(ways.filter(({ sentMs }) => sentMs !== null).toSorted((a, b) => (a.sentMs ?? 0) - (b.sentMs ?? 0)), ({ url }) => url);
  const matches = new Map<ServedObject, RequestWay>();
  for (const served of requests.toSorted((a, b) => a.startMs - b.startMs)) {
    const way = sent.get(served.url)?.shift();
    if (way !== undefined) matches.set(served, way);
  }
  return matches;
}

function barOf(served: ServedObject, way: RequestWay | null, role: ObjectRole): Omit<Bar, 'row'> | null {
  const endMs = served.arrivalMs ?? way?.endMs ?? null;
  // what never came has no end to draw
  if (endMs === null) return null;
  const startMs = Math.min(endMs, way?.sentMs ?? served.startMs);
  const knownMs = Math.min(way?.foreseenMs ?? Infinity, way?.askedMs ?? Infinity);
  const firstByteMs = served.firstByteMs ?? way?.firstByteMs ?? null;
  const stops = (way?.stops ?? []).map(({ fromMs, toMs }) => ({ fromMs: Math.max(startMs, fromMs), toMs: Math.min(endMs, toMs ?? endMs) })).filter(({ fromMs, toMs }) => fromMs < toMs);
  return {
    served, way, role, startMs, endMs, stops,
    waitFromMs: startMs - knownMs >= MIN_GAP_MS ? knownMs : null,
    firstByteMs: firstByteMs === null ? null : Math.min(endMs, Math.max(startMs, firstByteMs)),
  };
}

/** Each bar in the first row that is free for it. */
function inRows(bars: readonly Omit<Bar, 'row'>[]): Pick<Lane, 'rows' | 'bars'> {
  const ends: number[] = [];
  const beginOf = ({ waitFromMs, startMs }: Omit<Bar, 'row'>): number => waitFromMs ?? startMs;
  const placed = bars.toSorted((a, b) => beginOf(a) - beginOf(b)).map((bar) => {
    const free = ends.findIndex((endMs) => endMs + MIN_GAP_MS <= beginOf(bar));
    const row = free < 0 ? ends.length : free;
    ends[row] = bar.endMs;
    return { ...bar, row };
  });
  return { rows: ends.length, bars: placed };
}

function serverOf(url: string): string {
  return new URL(url).host;
}
