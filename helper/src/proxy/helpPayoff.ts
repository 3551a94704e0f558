import type { LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { doesHelpPay } from '../../../shared/src/scheduling/payoff.ts';

/** When nothing was asked in this time a page is over, as it is for the extension. */
const QUIET_MS = 2_000;

/**
 * Whether the link is so slow that what the helper could do now gains more than it costs. Help ends at any time, and as
 * for the extension (payoff.ts there) begins again only between pages: one that holds the processor up makes a fast link
 * look slow.
 */
export class HelpPayoff {
  private readonly now: () => number;
  private didPay = true;
  private askedMs = -Infinity;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.now = now;
  }

  doesPay(link: LinkEstimate): boolean {
    const nowMs = this.now();
    this.didPay = (this.didPay || nowMs - this.askedMs > QUIET_MS) && doesHelpPay(link, true);
    this.askedMs = nowMs;
    return this.didPay;
  }
}
