import type { FetchClass } from '../../../../shared/src/fetching/fetchObject.ts';
import type { NamedBy, WaitReason } from '../../../../shared/src/requests/requestEvent.ts';
import type { RankClass } from '../../../../shared/src/scheduling/rank.ts';
import type { PanelRequest } from './panelRequest.ts';
import type { ObjectClass } from './objectClass.ts';
import { durations } from './phases.ts';

/** Why a request was where it was; `views/words.ts` has the words. Times are milliseconds after the navigation's start, or last so long. */
export type Reason =
  | { readonly type: 'class'; readonly objectClass: ObjectClass }
  | { readonly type: 'place'; readonly rankClass: RankClass; readonly distance: number }
  | { readonly type: 'cached' }
  | { readonly type: 'foreseen'; readonly by: NamedBy | null; readonly atMs: number; readonly aheadMs: number | null }
  | { readonly type: 'deferred' }
  | { readonly type: 'gate'; readonly lastsMs: number }
  | { readonly type: 'browserQueue'; readonly lastsMs: number }
  | { readonly type: 'waited'; readonly reason: WaitReason; readonly lastsMs: number }
  | { readonly type: 'connected'; readonly lastsMs: number }
  | { readonly type: 'ranked'; readonly fetchClass: FetchClass; readonly atMs: number }
  | { readonly type: 'stopped'; readonly times: number; readonly lastsMs: number }
  | { readonly type: 'kept'; readonly lastsMs: number }
  | { readonly type: 'underWay' }
  | { readonly type: 'lost' };

/** What is shorter explains nothing. */
const MIN_MS = 5;

/** In the order of a request's way. */
export function reasonsOf({ objectClass, place, browser, way, phases, startMs }: PanelRequest, loadStartMs: number): Reason[] {
  const lasts = durations(phases);
  const reasons: Reason[] = [{ type: 'class', objectClass }];
  if (place !== null) reasons.push({ type: 'place', ...place });
  if (browser?.isCached === true) reasons.push({ type: 'cached' });
  if (way !== null && way.foreseenMs !== null) reasons.push({ type: 'foreseen', by: way.namedBy, atMs: way.foreseenMs - loadStartMs, aheadMs: way.askedMs === null ? null : way.askedMs - way.foreseenMs });
  if (way?.wasDeferred === true) reasons.push({ type: 'deferred' });
  if (lasts.gate >= MIN_MS) reasons.push({ type: 'gate', lastsMs: lasts.gate });
  if (way === null) {
    if (lasts.queue >= MIN_MS) reasons.push({ type: 'browserQueue', lastsMs: lasts.queue });
    if (lasts.connect >= MIN_MS) reasons.push({ type: 'connected', lastsMs: lasts.connect });
    return reasons;
  }
  way.waits.forEach(({ fromMs, reason }, index) => {
    const lastsMs = (way.waits[index + 1]?.fromMs ?? startMs + loadStartMs) - fromMs;
    if (lastsMs >= MIN_MS) reasons.push({ type: 'waited', reason, lastsMs });
  });
  for (const { atMs, fetchClass } of way.ranks) reasons.push({ type: 'ranked', fetchClass, atMs: atMs - loadStartMs });
  if (way.stops.length > 0) reasons.push({ type: 'stopped', times: way.stops.length, lastsMs: lasts.stop });
  if (lasts.kept >= MIN_MS) reasons.push({ type: 'kept', lastsMs: lasts.kept });
  if (way.ending === 'failed') reasons.push({ type: 'lost' });
  if (way.endMs === null && browser === null) reasons.push({ type: 'underWay' });
  return reasons;
}
