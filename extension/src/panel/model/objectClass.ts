import { FetchClass } from '../../../../shared/src/fetching/fetchObject.ts';
import { RankClass, rankOf, type Rank } from '../../../../shared/src/scheduling/rank.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import type { ResourceKind } from './browserRequest.ts';
import type { Joined } from './join.ts';
import type { LoadRecord, Places } from './loadRecord.ts';

/** What an object is to the first screen. */
export const OBJECT_CLASSES = ['layout', 'inView', 'unplaced', 'other'] as const;
export type ObjectClass = (typeof OBJECT_CLASSES)[number];

/** Places by URL, as the rules of the gate judge them (docs/scheduling.md). */
export function imagePlaces(places: Places | null): Map<string, Rank> {
  if (places === null) return new Map();
  return new Map(places.images.map(({ url, rect }) => [url, rankOf({ placement: rect === null ? { state: 'undisplayed', near: null } : { state: 'placed', rect } }, places.view)]));
}

const OF_RANK: Readonly<Record<RankClass, ObjectClass>> = { [RankClass.inView]: 'inView', [RankClass.unplaced]: 'unplaced', [RankClass.offScreen]: 'other', [RankClass.undisplayed]: 'other' };
const OF_FETCH: Readonly<Record<FetchClass, ObjectClass>> = { [FetchClass.layout]: 'layout', [FetchClass.inView]: 'inView', [FetchClass.unplaced]: 'unplaced', [FetchClass.offScreen]: 'other', [FetchClass.undisplayed]: 'other' };
const LAYOUT_KINDS: ReadonlySet<ResourceKind> = new Set(['document', 'style', 'script', 'font']);

/**
 * Classes of a load's objects: once its page has said what the first screen needed, by that; before, by what an object is
 * and where its image stands now. Fonts count as layout in any case, as pages can not tell which they use.
 */
export class ObjectClasses {
  private readonly needs: ReadonlyMap<string, ObjectClass> | null;
  private readonly places: ReadonlyMap<string, Rank>;
  private readonly pageUrl: string | null;
  /** What begins later was asked for by somebody's doing. */
  private readonly loadedMs: number;

  constructor({ needs, url, timing }: Pick<LoadRecord, 'needs' | 'url' | 'timing'>, places: ReadonlyMap<string, Rank>) {
    this.needs = needs === null ? null : new Map(needs.map((need) => [need.url, need.kind === 'image' ? 'inView' : 'layout']));
    this.places = places;
    this.pageUrl = url === null ? null : withoutFragment(url);
    this.loadedMs = timing === null || timing.loadedMs === null ? Infinity : timing.startMs + timing.loadedMs;
  }

  of(url: string, { browser, way }: Joined): ObjectClass {
    const kind = browser?.kind ?? null;
    const isFont = kind === 'font' && (browser?.startMs ?? 0) <= this.loadedMs;
    // a redirect leads to the page: it is overhead of what is needed
    const isOnTheWay = kind === 'document' && (this.needs === null || isRedirect(browser?.status ?? 0));
    if (url === this.pageUrl || isFont || isOnTheWay) return 'layout';
    const needed = this.needs?.get(url);
    if (needed !== undefined) return needed;
    if (this.needs !== null) return 'other';
    const place = this.places.get(url);
    if (place !== undefined) return OF_RANK[place.rankClass];
    if (kind !== null && kind !== 'image') return LAYOUT_KINDS.has(kind) ? 'layout' : 'other';
    const told = way?.endClass ?? way?.ranks.at(-1)?.fetchClass ?? way?.sentClass ?? null;
    return told === null ? 'unplaced' : OF_FETCH[told];
  }
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

export function isNeeded(objectClass: ObjectClass): boolean {
  return objectClass === 'layout' || objectClass === 'inView';
}
