import { ObjectSizes } from '../../shared/src/estimation/objectSizes.ts';
import { FetchClass } from '../../shared/src/fetching/fetchObject.ts';
import { originOf } from '../../shared/src/page/origin.ts';
import type { RequestEvent } from '../../shared/src/requests/requestEvent.ts';
import { requestWays, type RequestWay } from '../../shared/src/requests/requestWays.ts';
import type { LoadTrace, Step, TracedObject } from '../../shared/src/testing/loadTrace.ts';
import type { LoadArtifact } from '../report/waterfall/loadArtifact.ts';

/** Between what the helper expects of a style sheet and of a script of which nothing but the name is known. */
const LAYOUT_BYTES = 10_000;

/**
 * When each object of a recorded load became known to the helper's scheduler, as what; milliseconds after the first
 * of all. Pure.
 *
 * @param record as the helper wrote it
 */
export function loadTrace(name: string, record: readonly RequestEvent[], needed: LoadArtifact['needed']): LoadTrace {
  const placedMs = firstPlaceMs(record);
  const shown = new Set(needed.map(({ url }) => url));
  const { requests, connections } = requestWays(record);
  const ways = requests.filter(({ ending }) => ending === 'whole');
  const startMs = Math.min(...connections.map(({ fromMs }) => fromMs), ...ways.map(knownMs));
  const firsts = [...Map.groupBy(connections, ({ origin }) => origin).values()].flatMap(([first]) => first ?? []);
  const objects = ways.map((way): TracedObject => {
    const steps = stepsOf(way, record, placedMs).map((step) => ({ ...step, atMs: Math.round(step.atMs - startMs) }));
    return {
      origin: originOf(way.url),
      bytes: way.bytes,
      expectedBytes: steps[0]?.fetchClass === FetchClass.layout ? LAYOUT_BYTES : new ObjectSizes().expected(way.url),
      isNeeded: shown.has(way.url),
      steps,
    };
  });
  return { name, prepared: firsts.map(({ origin, fromMs }) => ({ origin, atMs: Math.round(fromMs - startMs) })), objects };
}

function knownMs({ foreseenMs, askedMs }: RequestWay): number {
  return Math.min(foreseenMs ?? Infinity, askedMs ?? Infinity);
}

/** When the page's geometry was told, of all that was known: by then something that began without a place has one. */
function firstPlaceMs(record: readonly RequestEvent[]): number {
  const unplaced = new Set<number>();
  for (const event of record) {
    if (event.type === 'asked' || event.type === 'foreseen') {
      if (event.fetchClass === FetchClass.unplaced) unplaced.add(event.request);
    } else if ('fetchClass' in event && unplaced.has(event.request) && event.fetchClass !== FetchClass.unplaced) return event.atMs;
  }
  return Infinity;
}

function stepsOf({ request, foreseenMs, askedMs, endClass }: RequestWay, record: readonly RequestEvent[], placedMs: number): Step[] {
  const said = record.flatMap((event) => ((event.type === 'foreseen' || event.type === 'asked') && event.request === request ? [event] : []));
  const first = said[0]?.fetchClass ?? FetchClass.layout;
  const askedClass = said.find(({ type }) => type === 'asked')?.fetchClass ?? first;
  const changes: { readonly atMs: number; readonly fetchClass?: FetchClass; readonly isAwaited?: true }[] = [];
  if (foreseenMs !== null) changes.push({ atMs: foreseenMs, fetchClass: first });
  if (askedMs !== null) changes.push({ atMs: askedMs, fetchClass: askedClass, isAwaited: true });
  const knownAtMs = Math.min(...changes.map(({ atMs }) => atMs));
  if (endClass !== null && Number.isFinite(placedMs)) changes.push({ atMs: Math.max(knownAtMs, placedMs), fetchClass: endClass });
  changes.sort((a, b) => a.atMs - b.atMs);
  let now = { fetchClass: first, isAwaited: false };
  const steps = changes.map(({ atMs, ...change }) => ({ atMs, ...(now = { ...now, ...change }) }));
  // said again is not said anew
  return steps.filter((step, place) => place === 0 || step.fetchClass !== steps[place - 1]?.fetchClass || step.isAwaited !== steps[place - 1]?.isAwaited);
}
