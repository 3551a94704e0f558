import { isSameRect, type Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/placement.ts';
import { MAX_REPORTED_IMAGES, type LayoutReport } from '../../../shared/src/protocol/content.ts';
import { isSamePlacement, type Placements } from './placements.ts';

/** A layout as it is read, whole. */
export type Layout = Omit<LayoutReport, 'images'> & { readonly placements: Placements };

/** What the background script knows of the layout, so that a report says only what has changed. */
export class ReportedLayout {
  private last: Omit<LayoutReport, 'images'> | null = null;
  private readonly placements = new Map<string, Placement>();

  /** The background script has begun anew. */
  forget(): void {
    this.last = null;
    this.placements.clear();
  }

  /** @returns what is new, which then counts as known; null when nothing is */
  update({ placements, ...layout }: Layout): LayoutReport | null {
    const images: { url: string; placement: Placement }[] = [];
    for (const [url, placement] of placements) {
      if (images.length === MAX_REPORTED_IMAGES) break;
      if (isSamePlacement(this.placements.get(url), placement)) continue;
      images.push({ url, placement });
      this.placements.set(url, placement);
    }
    const { last } = this;
    const isSame = last !== null && isSameView(last.view, layout.view) && last.isVisible === layout.isVisible && last.isParsed === layout.isParsed && last.look === layout.look;
    if (isSame && images.length === 0) return null;
    this.last = layout;
    return { ...layout, images };
  }
}

function isSameView(a: Rect | null, b: Rect | null): boolean {
  return a === null || b === null ? a === b : isSameRect(a, b);
}
