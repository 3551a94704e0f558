import { estimateImageBytes } from '../estimation/bytes.ts';
import type { ObjectSizes } from '../estimation/objectSizes.ts';
import type { FetchUrgency, LayoutReport } from '../protocol/page.ts';
import type { Plan } from '../scheduling/plan.ts';
import { RankClass, rankOf } from '../scheduling/rank.ts';
import { selectReleases, type LinkLoad } from '../scheduling/releaseWindow.ts';
import type { Rect } from './geometry.ts';
import type { PageObject, PageSnapshot, Placement } from './objects.ts';
import { originOf } from './origin.ts';

interface KnownObject extends PageObject {
  placement: Placement;
  state: 'held' | 'released' | 'ended';
}

export interface Release {
  readonly url: string;
  readonly urgency: FetchUrgency;
  /** Expected size. */
  readonly bytes: number;
}

/**
 * One document's objects, from held to arrived. URLs are without fragment.
 *
 * An object is held from `hold` until `release` names it, and then on the way until `ended`. It stays known, so that it is never held twice.
 */
export class PageModel {
  private readonly objects = new Map<string, KnownObject>();
  private view: Rect | null = null;
  private held = 0;
  private readonly sizes: ObjectSizes;

  /** @param sizes of the images seen lately, on whatever page */
  constructor(sizes: ObjectSizes) {
    this.sizes = sizes;
  }

  get heldCount(): number {
    return this.held;
  }

  /** Whether a layout was told. */
  get isLaidOut(): boolean {
    return this.view !== null;
  }

  isHeld(url: string): boolean {
    return this.objects.get(url)?.state === 'held';
  }

  heldUrls(): string[] {
    return this.inState('held').map(({ url }) => url);
  }

  /**
   * @param index order of the request in the document; holds may be told in another order
   * @returns false when the object is known already
   */
  hold(url: string, index: number): boolean {
    if (this.objects.has(url)) return false;
    const id = this.objects.size;
    this.objects.set(url, { id, url, index, placement: { state: 'unplaced' }, state: 'held' });
    this.held += 1;
    return true;
  }

  /**
   * The content script has released it without a plan; the hold may be told later.
   *
   * @returns null when the object was released already
   */
  releasedByPage(url: string, placement: Placement): Release | null {
    this.hold(url, this.objects.size);
    const object = this.objects.get(url);
    if (object?.state !== 'held') return null;
    object.placement = placement;
    this.markReleased(object);
    return { url, urgency: URGENCY_OF[RankClass.inView], bytes: this.expectedBytes(object) };
  }

  /** Takes what the content script sees. What is on the way may turn out to be in view, so its places count too. */
  layout(report: LayoutReport): void {
    this.view = report.view;
    for (const { url, placement } of report.objects) {
      const object = this.objects.get(url);
      if (object !== undefined) object.placement = placement;
    }
  }

  /** The held objects, for a plan. */
  snapshot(): PageSnapshot {
    return { view: this.view, objects: this.inState('held').map(({ id, url, index, placement }) => ({ id, url, index, placement })) };
  }

  /** Whether the first screen waits for this object, as far as is known now. */
  isInView(url: string): boolean {
    const object = this.objects.get(url);
    return object !== undefined && rankOf(object, this.view).rankClass === RankClass.inView;
  }

  /** Whether the first screen may wait for this object: its place is not known, or in view. */
  mayBeInView(url: string): boolean {
    const object = this.objects.get(url);
    return object !== undefined && rankOf(object, this.view).rankClass <= RankClass.unplaced;
  }

  /** Releases what the plan and the window allow now. Objects that the plan does not know yet wait for the next one. */
  release(plan: Plan, load: LinkLoad): Release[] {
    const heldById = new Map(this.inState('held').map((object) => [object.id, object]));
    const candidates = plan.flatMap(({ id, rankClass, foreseen }) => {
      const object = heldById.get(id);
      return object === undefined ? [] : [{ object, rankClass, foreseen, origin: originOf(object.url), bytes: this.expectedBytes(object) }];
    });
    // what is foreseen comes without the browser's asking: before it is there a request for it only keeps a place that others need, unless the first screen waits to show it as it comes
    const ready = candidates.filter(({ foreseen, rankClass }) => foreseen === 'here' || (foreseen === 'coming' && rankClass === RankClass.inView));
    const own = selectReleases(candidates.filter(({ foreseen }) => foreseen === undefined), load, this.isLaidOut);
    return [...ready, ...own].map(({ object, rankClass, bytes }) => {
      this.markReleased(object);
      return { url: object.url, urgency: URGENCY_OF[rankClass], bytes };
    });
  }

  /** Releases everything in document order, whatever the window; for when holding must end. */
  releaseAll(): Release[] {
    const inOrder = this.inState('held').sort((a, b) => a.index - b.index);
    return inOrder.map((object) => {
      this.markReleased(object);
      return { url: object.url, urgency: 'auto', bytes: this.expectedBytes(object) };
    });
  }

  /** A released object has arrived, or failed. */
  ended(url: string): void {
    const object = this.objects.get(url);
    if (object?.state === 'released') object.state = 'ended';
  }

  private expectedBytes(object: KnownObject): number {
    return estimateImageBytes(object, this.sizes.expected(object.url));
  }

  private markReleased(object: KnownObject): void {
    object.state = 'released';
    this.held -= 1;
  }

  private inState(state: KnownObject['state']): KnownObject[] {
    return [...this.objects.values()].filter((object) => object.state === state);
  }
}

const URGENCY_OF: Readonly<Record<RankClass, FetchUrgency>> = {
  [RankClass.inView]: 'high',
  // low-priority requests wait in Chromium's own queue until the head is parsed, and the window has already judged that there is room now
  [RankClass.unplaced]: 'high',
  [RankClass.offScreen]: 'low',
  [RankClass.undisplayed]: 'low',
};
