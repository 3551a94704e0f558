import { isSameRect, type Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/objects.ts';
import { MAX_REPORTED_OBJECTS, type LayoutReport } from '../../../shared/src/protocol/page.ts';
import { isSamePlacement } from './placementLedger.ts';

/** What the background script knows of the layout, so that a report says only what has changed. */
export class ReportedLayout {
  private view: Rect | null = null;
  private readonly placements = new Map<string, Placement>();

  has(url: string): boolean {
    return this.placements.has(url);
  }

  /** The background script does not know these objects' places (any more). */
  forget(urls: readonly string[]): void {
    for (const url of urls) this.placements.delete(url);
  }

  /** @returns what is new, which then counts as known; null when nothing is */
  update(view: Rect, placements: ReadonlyMap<string, Placement>): LayoutReport | null {
    const objects: { url: string; placement: Placement }[] = [];
    for (const [url, placement] of placements) {
      if (objects.length === MAX_REPORTED_OBJECTS) break;
      if (isSamePlacement(this.placements.get(url), placement)) continue;
      objects.push({ url, placement });
      this.placements.set(url, placement);
    }
    if (objects.length === 0 && this.view !== null && isSameRect(this.view, view)) return null;
    this.view = view;
    return { view, objects };
  }
}
