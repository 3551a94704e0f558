import type { Placement } from '../../../shared/src/page/placement.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import type { LayoutReport } from '../../../shared/src/protocol/contentSchema.ts';
import type { Placements } from './placements.ts';

/** A layout as it is read, whole. */
export type Layout = Omit<LayoutReport, 'images'> & { readonly placements: Placements };

/** What the background script knows of the layout as it was last, as JSON, so that a report says only what has changed. */
export class ReportedLayout {
  private last = '';
  private placements = new Map<string, string>();

  /** The background script has begun anew. */
  forget(): void {
    this.last = '';
    this.placements = new Map();
  }

  /** @returns what is new, which then counts as known; null when nothing is */
  update({ placements, ...layout }: Layout): LayoutReport | null {
    const images: { url: string; placement: Placement }[] = [];
    // what has come is not kept: a page may go on and on
    const known = new Map<string, string>();
    for (const [url, placement] of placements) {
      // it has no rank, and a report that names it would be refused whole
      if (url.length > MAX_URL_CHARS) continue;
      const text = JSON.stringify(placement);
      const isNew = this.placements.get(url) !== text;
      if (isNew && images.length === MAX_REPORTED_IMAGES) continue;
      if (isNew) images.push({ url, placement });
      known.set(url, text);
    }
    this.placements = known;
    const text = JSON.stringify(layout);
    if (text === this.last && images.length === 0) return null;
    this.last = text;
    return { ...layout, images };
  }
}
