/** What predictions have brought, in all or for one page. */
export interface Waste {
  predicted: number;
  claimed: number;
  claimedBytes: number;
  wastedBytes: number;
}

/** So much is tried before it is judged. */
const MIN_PREDICTED = 10;
const MIN_BYTES = 64 * 1024;
const MAX_WASTED_SHARE = 0.1;
/** Half of what was counted is forgotten when so much has been, so that a page that has changed gets judged anew. */
const MEMORY_BYTES = 16 * 1024 * 1024;
const MAX_PAGES = 1_000;

/** Says for which pages predicting pays: of what is fetched for a page ahead of time, no more than a tenth may be fetched in vain. */
export class PredictionScore {
  readonly total: Waste = nothing();
  /** The one that was asked about longest ago is first. */
  private readonly pages = new Map<string, Waste>();

  /** @param pageKey pages that are made alike (`pageKeys(url).template`) */
  mayPredict(pageKey: string): boolean {
    const { predicted, claimedBytes, wastedBytes } = this.of(pageKey);
    const bytes = claimedBytes + wastedBytes;
    return predicted < MIN_PREDICTED || bytes < MIN_BYTES || wastedBytes <= MAX_WASTED_SHARE * bytes;
  }

  predicted(pageKey: string): void {
    for (const each of [this.total, this.of(pageKey)]) each.predicted += 1;
  }

  claimed(pageKey: string): void {
    for (const each of [this.total, this.of(pageKey)]) each.claimed += 1;
  }

  /** Bytes of an answer that somebody has claimed, or that nobody will. */
  fetched(pageKey: string, bytes: number, isClaimed: boolean): void {
    const page = this.of(pageKey);
    for (const each of [this.total, page]) each[isClaimed ? 'claimedBytes' : 'wastedBytes'] += bytes;
    if (page.claimedBytes + page.wastedBytes <= MEMORY_BYTES) return;
    page.claimedBytes /= 2;
    page.wastedBytes /= 2;
  }

  private of(pageKey: string): Waste {
    const page = this.pages.get(pageKey) ?? nothing();
    this.pages.delete(pageKey);
    this.pages.set(pageKey, page);
    for (const oldest of this.pages.keys()) if (this.pages.size > MAX_PAGES) this.pages.delete(oldest);
    return page;
  }
}

function nothing(): Waste {
  return { predicted: 0, claimed: 0, claimedBytes: 0, wastedBytes: 0 };
}
