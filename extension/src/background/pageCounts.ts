/** Images that the gate has held, released, of these in view, and left to the data saver. */
export interface ImageCounts {
  held: number;
  released: number;
  inView: number;
  left: number;
}

export interface DocumentCounts extends ImageCounts {
  /** Of the document's first image. */
  readonly startMs: number;
}

const COUNTED = ['held', 'released', 'inView', 'left'] as const;

/** Images of the page that each tab shows, by document, as what an old page lets go is none of the next one. */
export class PageCounts {
  private readonly byTab = new Map<number, DocumentCounts[]>();

  /** A document has begun. @returns where its images are counted */
  begin(tabId: number, startMs: number): DocumentCounts {
    const counts = { held: 0, released: 0, inView: 0, left: 0, startMs };
    this.byTab.set(tabId, [...this.documentsOf(tabId), counts]);
    return counts;
  }

  /** A document is gone. What it has counted stays its page's, with the first document: a page may have frames come and go for as long as it is open. */
  ended(tabId: number, counts: DocumentCounts): void {
    const [first, ...others] = this.documentsOf(tabId);
    if (first === undefined || !others.includes(counts)) return;
    for (const what of COUNTED) first[what] += counts[what];
    this.byTab.set(tabId, [first, ...others.filter((other) => other !== counts)]);
  }

  /** A new page was asked for, whose documents have begun since. */
  navigated(tabId: number, atMs: number): void {
    this.byTab.set(tabId, this.documentsOf(tabId).filter(({ startMs }) => startMs >= atMs));
  }

  forgetTab(tabId: number): void {
    this.byTab.delete(tabId);
  }

  /** Of all documents of a tab's page. */
  of(tabId: number): ImageCounts {
    const sum = { held: 0, released: 0, inView: 0, left: 0 };
    for (const counts of this.documentsOf(tabId)) for (const what of COUNTED) sum[what] += counts[what];
    return sum;
  }

  /** Those that are told apart. */
  documentsOf(tabId: number): readonly DocumentCounts[] {
    return this.byTab.get(tabId) ?? [];
  }
}
