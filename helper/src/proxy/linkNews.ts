import type { LinkEstimator } from '../../../shared/src/estimation/link.ts';
import type { HelperMessageOf } from '../../../shared/src/protocol/native.ts';

type Link = HelperMessageOf<'link'>['payload'];

/** A rate that differs by less changes no decision. */
const NEWS_RATIO = 1.25;

/** Tells what the helper's own connections say of the link, when that is news. */
export class LinkNews {
  private readonly link: LinkEstimator;
  private readonly changed: (link: Link) => void;
  private told: Link;

  constructor(link: LinkEstimator, changed: (link: Link) => void) {
    this.link = link;
    this.changed = changed;
    this.told = this.current;
  }

  /** To be called whenever the estimate may be another one. */
  tell(): void {
    const { current, told } = this;
    if (current.rttMs === told.rttMs && !isNews(current.rateBitsPerSecond, told.rateBitsPerSecond) && !isNews(current.seenBitsPerSecond, told.seenBitsPerSecond)) return;
    this.told = current;
    this.changed(current);
  }

  private get current(): Link {
    return { rttMs: this.link.estimate().rttMs, rateBitsPerSecond: this.link.measuredRate, seenBitsPerSecond: this.link.seenRate };
  }
}

function isNews(now: number | null, told: number | null): boolean {
  if (now === null || told === null) return now !== told;
  return now > NEWS_RATIO * told || told > NEWS_RATIO * now;
}
