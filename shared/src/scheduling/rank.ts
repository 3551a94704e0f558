import { distanceFromView, intersects, type Rect } from '../page/geometry.ts';
import type { Placement } from '../page/placement.ts';

/**
 * Priority classes of prioritized fetching (NSF report, section VI: layout files, then the current view, then the
 * rest). Layout files are never held, so they do not appear here. Lower is sooner.
 */
export const RankClass = {
  inView: 0,
  /** Position not known yet: it may turn out to be in view, so it goes before what certainly is not. */
  unplaced: 1,
  /** What a user scrolls to; before that what is hidden in view, as slide shows and menus show it without scrolling. */
  offScreen: 2,
  undisplayed: 3,
} as const;
export type RankClass = (typeof RankClass)[keyof typeof RankClass];

export interface Rank {
  readonly rankClass: RankClass;
  /** CSS pixels from the view; 0 for classes that have no distance. */
  readonly distance: number;
}

/**
 * Images whose ranks are known at once: those of one document, those that the extension has told of, and those that the
 * helper knows. A page that goes on and on names ever more, and were one of the three to know fewer, each report would
 * tell all anew.
 */
export const MAX_RANKED = 5_000;

const UNPLACED: Rank = { rankClass: RankClass.unplaced, distance: 0 };
const HIDDEN_IN_VIEW: Rank = { rankClass: RankClass.offScreen, distance: 0 };
const UNDISPLAYED: Rank = { rankClass: RankClass.undisplayed, distance: 0 };
/** Taken to be in view, after what certainly is. */
const STYLED: Rank = { rankClass: RankClass.inView, distance: 1 };
const IN_VIEW: Rank = { rankClass: RankClass.inView, distance: 0 };

/** The rank of one image; `view` is null before the first layout, when no position can be trusted. */
export function rankOf({ placement }: { readonly placement: Placement }, view: Rect | null): Rank {
  if (placement.state === 'styled') return STYLED;
  if (view === null || placement.state === 'unplaced') return UNPLACED;
  if (placement.state === 'undisplayed') return placement.near !== null && intersects(boxToJudge(placement.near), view) ? HIDDEN_IN_VIEW : UNDISPLAYED;
  if (intersects(boxToJudge(placement.rect), view)) return IN_VIEW;
  return { rankClass: RankClass.offScreen, distance: distanceFromView(placement.rect, view) };
}

/** An image without declared dimensions has no area until it arrives; judge it by the place where it will grow. */
function boxToJudge(rect: Rect): Rect {
  if (rect.width > 0 && rect.height > 0) return rect;
  return { ...rect, width: Math.max(rect.width, 1), height: Math.max(rect.height, 1) };
}

/** Total order: class, distance from the view, document order. */
export function compareRanked(a: Ranked, b: Ranked): number {
  return a.rank.rankClass - b.rank.rankClass || a.rank.distance - b.rank.distance || a.index - b.index;
}

export interface Ranked {
  /** Of its request among those of the document. */
  readonly index: number;
  readonly rank: Rank;
}
