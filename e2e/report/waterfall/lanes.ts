import { requestWays, type RequestWay } from '../../../shared/src/requests/requestWays.ts';
import { barTimes, lanesOf, type Lane, type LaneBar, type Placed } from '../../../shared/src/waterfall/bars.ts';
import { pairInOrder } from '../../../shared/src/waterfall/pairInOrder.ts';
import type { LoadArtifact, ServedObject } from './loadArtifact.ts';

/** What an object is to the first screen, as the final layout tells. */
export type ObjectRole = 'layout' | 'inView' | 'other';

/** One request in the drawing: it ends when its last byte was delivered, and without a record begins when its server has got it. */
export interface ServedBar extends LaneBar {
  readonly served: ServedObject;
  /** Through the helper; null where nothing is known of it. */
  readonly way: RequestWay | null;
  readonly role: ObjectRole;
}

export type Bar = Placed<ServedBar>;
export type ServedLane = Lane<ServedBar>;

const IMAGE_KINDS: ReadonlySet<string> = new Set(['image', 'background', 'poster', 'svg', 'input']);

/** The connections of a load, those of a server together, in the order of their first requests. */
export function lanes({ requests, needed, record }: LoadArtifact): ServedLane[] {
  const ways = requestWays(record ?? []);
  const wayOf = matched(requests, ways.requests);
  const roles = new Map(needed.map(({ url, kind }) => [url, IMAGE_KINDS.has(kind) ? 'inView' : 'layout'] as const));
  const bars = requests.flatMap((served) => barOf(served, wayOf.get(served) ?? null, roles.get(served.url) ?? 'other') ?? []);
  return lanesOf(bars, (ofConnection) => {
    const id = ofConnection.find(({ way }) => way !== null)?.way?.connection;
    return ways.connections.find(({ connection }) => connection === id) ?? null;
  });
}

/** The helper's way of each request that a server has seen. */
function matched(requests: readonly ServedObject[], ways: readonly RequestWay[]): Map<ServedObject, RequestWay> {
  return pairInOrder(
    { all: requests, urlOf: ({ url }) => url, compare: (a, b) => a.startMs - b.startMs },
    { all: ways.filter(({ sentMs }) => sentMs !== null), urlOf: ({ url }) => url, compare: (a, b) => (a.sentMs ?? 0) - (b.sentMs ?? 0) },
  );
}

function barOf(served: ServedObject, way: RequestWay | null, role: ObjectRole): ServedBar | null {
  const endMs = served.arrivalMs ?? way?.endMs ?? null;
  // what never came has no end to draw
  if (endMs === null) return null;
  const times = barTimes({ startMs: served.startMs, firstByteMs: served.firstByteMs, endMs }, way);
  return { ...times, server: new URL(served.url).host, connection: served.connection, served, way, role };
}
