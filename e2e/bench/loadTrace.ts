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
  const shown = new Set(needed.map(({ url }) => url));
  const { requests, connections } = requestWays(record);
  const ways = requests.filter(({ ending }) => ending === 'whole');
  const startMs = Math.min(...connections.map(({ fromMs }) => fromMs), ...ways.map(({ foreseenMs, askedMs }) => Math.min(foreseenMs ?? Infinity, askedMs ?? Infinity)));
  const firsts = [...Map.groupBy(connections, ({ origin }) => origin).values()].flatMap(([first]) => first ?? []);
  const objects = ways.map((way): TracedObject => {
    const steps = stepsOf(way, record).map((step) => ({ ...step, atMs: Math.round(step.atMs - startMs) }));
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

function stepsOf({ request }: RequestWay, record: readonly RequestEvent[]): Step[] {
  let now: Omit<Step, 'atMs'> | null = null;
  return record.flatMap((event) => {
    if (!('request' in event) || event.request !== request || (event.type !== 'foreseen' && event.type !== 'asked' && event.type !== 'ranked')) return [];
    const before = now;
    now = { fetchClass: event.fetchClass, isAwaited: before?.isAwaited === true || event.type === 'asked' };
    // said again is not said anew
    return before?.fetchClass === now.fetchClass && before.isAwaited === now.isAwaited ? [] : [{ atMs: event.atMs, ...now }];
  });
}
