import { LRUCache } from 'lru-cache';
import type { ImageRank } from '../../../shared/src/page/documentModel.ts';
import { MAX_RANKED } from '../../../shared/src/scheduling/rank.ts';
import { inMessages } from './inMessages.ts';

/** Documents report as they are laid out, several at once; each message costs two processes. */
const COALESCE_MS = 50;

/**
 * Tells the helper where images stand: what has changed, each message within the limits of a frame. No answer is waited
 * for.
 */
export class RankTeller {
  private readonly told = new LRUCache<string, string>({ max: MAX_RANKED });
  private readonly untold = new Map<string, ImageRank>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly tell: (images: ImageRank[]) => void;

  constructor(tell: (images: ImageRank[]) => void) {
    this.tell = tell;
  }

  /** Another helper, or none: it knows nothing. */
  forget(): void {
    this.told.clear();
    this.untold.clear();
  }

  ranked(ranks: readonly ImageRank[]): void {
    for (const rank of ranks) {
      const known = JSON.stringify([rank.rankClass, rank.order]);
      if (this.told.get(rank.url) === known) continue;
      this.told.set(rank.url, known);
      this.untold.set(rank.url, rank);
    }
    if (this.untold.size > 0) this.timer ??= setTimeout(() => this.flush(), COALESCE_MS);
  }

  private flush(): void {
    this.timer = undefined;
    // what the first screen needs is told first
    const sorted = [...this.untold.values()].sort((a, b) => a.rankClass - b.rankClass || a.order - b.order);
    this.untold.clear();
    for (const images of inMessages(sorted, ({ url }) => url)) this.tell(images);
  }
}
