import { LRUCache } from 'lru-cache';
import { isOfPicture } from '../../../shared/src/memory/pictureQuery.ts';

/** What was foreseen, in all. */
export interface Waste {
  foreseen: number;
  claimed: number;
  claimedBytes: number;
  wastedBytes: number;
  /** Stopped, as its page no longer names it. */
  unnamed: number;
}

interface Direction {
  foreseen: number;
  unclaimed: number;
  /** Loads in which something was not claimed, and the last of them. */
  missedLoads: number;
  lastMissedLoad: number | null;
}

const MAX_DIRECTIONS = 2_000;
const MAX_PATHS = 10_000;
const MAX_MISSED_LOADS = 2;
/** A page that has foreseen much may err now and then. */
const MAX_UNCLAIMED_SHARE = 0.1;

/**
 * Learns from what nobody claims. The same path is never foreseen again (a blocker may stop it); and when in two loads
 * more than a tenth of what was foreseen in one direction was in vain, or the browser's own request was another than
 * the foreseen one, nothing is foreseen in that direction any more. A direction is a page's origin and a server's.
 */
export class ClaimRecord {
  readonly total: Waste = { foreseen: 0, claimed: 0, claimedBytes: 0, wastedBytes: 0, unnamed: 0 };
  private readonly directions = new LRUCache<string, Direction>({ max: MAX_DIRECTIONS, memoMethod: () => ({ foreseen: 0, unclaimed: 0, missedLoads: 0, lastMissedLoad: null }) });
  private readonly unclaimedPaths = new LRUCache<string, true>({ max: MAX_PATHS });

  mayForesee(direction: string, url: string): boolean {
    const { foreseen, unclaimed, missedLoads } = this.directions.memo(direction);
    return (missedLoads < MAX_MISSED_LOADS || unclaimed <= foreseen * MAX_UNCLAIMED_SHARE) && !this.unclaimedPaths.has(pathKey(url));
  }

  foreseen(direction: string): void {
    this.total.foreseen += 1;
    this.directions.memo(direction).foreseen += 1;
  }

  claimed(bytes: number): void {
    this.total.claimed += 1;
    this.total.claimedBytes += bytes;
  }

  /** @param load the document's load in which it was foreseen */
  unclaimed(direction: string, url: string, load: number): void {
    this.unclaimedPaths.set(pathKey(url), true);
    const record = this.directions.memo(direction);
    record.unclaimed += 1;
    if (record.lastMissedLoad === load) return;
    record.lastMissedLoad = load;
    record.missedLoads += 1;
  }

  /** The browser asks there in another way: each request would be made twice. */
  misjudged(direction: string): void {
    Object.assign(this.directions.memo(direction), { unclaimed: Infinity, missedLoads: MAX_MISSED_LOADS });
  }
}

/** Queries change from load to load, but for those by which one server makes all pictures of a page. */
function pathKey(url: string): string {
  return isOfPicture(url) ? url : (url.split('?', 1)[0] ?? url);
}
