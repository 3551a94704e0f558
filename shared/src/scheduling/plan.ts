import type { PageSnapshot } from '../page/objects.ts';
import { compareRanked, rankOf, type RankedObject, type RankClass } from './rank.ts';

/** One object's place in the order of release. */
export interface PlannedObject {
  readonly id: number;
  readonly rankClass: RankClass;
  /** Said of what the helper has asked for by itself: it is there already, or comes in its turn, whether the browser asks or not. */
  readonly foreseen?: 'here' | 'coming' | undefined;
}

/** The order of release: every object of the snapshot exactly once. */
export type Plan = readonly PlannedObject[];

/** A scheduling policy: pure, so that the helper and the background script decide alike. */
export type PlanPolicy = (snapshot: PageSnapshot) => Plan;

/** PF, prioritized fetching: in view first, then by distance from the view, then what is not displayed. */
export const planPrioritizedFetching: PlanPolicy = (snapshot) =>
  snapshot.objects
    .map((object): RankedObject => ({ object, rank: rankOf(object, snapshot.view) }))
    .sort(compareRanked)
    .map(({ object, rank }) => ({ id: object.id, rankClass: rank.rankClass }));
