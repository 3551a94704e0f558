import type { Placement } from '../../../shared/src/page/placement.ts';
import { MAX_REPORTED_IMAGES } from '../../../shared/src/protocol/content.ts';
import type { LayoutReport } from '../../../shared/src/protocol/contentSchema.ts';
import type { Placements } from './placements.ts';

/** A layout as it is read, whole. */
export type Layout = Omit<LayoutReport, 'images'> & { readonly placements: Placements };

/** What the background script knows of the layout, as JSON, so that a report says only what has changed. */
export class ReportedLayout {
  private last = '';
  private readonly placements = new Map<string, string>();

  /** The background script has begun anew. */
  forget(): void {
    this.last = '';
    this.placements.clear();
  }

  /** @returns what is new, which then counts as known; null when nothing is */
  update({ placements, ...layout }: Layout): LayoutReport | null {
    const images: { url: string; placement: Placement }[] = [];
    for (const [url, placement] of placements) {
      if (images.length === MAX_REPORTED_IMAGES) break;
      const text = JSON.stringify(placement);
      if (this.placements.get(url) === text) continue;
      images.push({ url, placement });
      this.placements.set(url, text);
    }
    const text = JSON.stringify(layout);
    if (text === this.last && images.length === 0) return null;
    this.last = text;
    return { ...layout, images };
  }
}
