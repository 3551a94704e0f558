import * as v from 'valibot';
import type { Rect } from './geometry.ts';

const finite = v.pipe(v.number(), v.finite());
const length = v.pipe(finite, v.minValue(0));

export const RectSchema = v.strictObject({ x: finite, y: finite, width: length, height: length });

/** Where an object stands; only the content script can tell. */
export const PlacementSchema = v.variant('state', [
  /** No element is known yet: the preload scanner saw the URL before the parser came to it. */
  v.strictObject({ state: v.literal('unplaced') }),
  /** An element exists and has (or reserves) a box. */
  v.strictObject({ state: v.literal('placed'), rect: RectSchema }),
  /** An element exists but is not displayed (`display: none`, a closed menu): nothing on screen needs it. */
  v.strictObject({ state: v.literal('undisplayed') }),
]);
export type Placement = Readonly<v.InferOutput<typeof PlacementSchema>>;

/** An object of the page that the gate holds, as the scheduler sees it. */
export interface PageObject {
  /** Unique within its document. */
  readonly id: number;
  readonly url: string;
  /** Order of discovery in the document, from 0. */
  readonly index: number;
  readonly placement: Placement;
}

/** Everything that a plan depends on: the same snapshot always gives the same plan. */
export interface PageSnapshot {
  /** The view in document coordinates; null before the first layout. */
  readonly view: Rect | null;
  readonly objects: readonly PageObject[];
}
