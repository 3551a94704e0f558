import type { LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { PAGE_QUIET_MS, doesHelpPay } from '../../../shared/src/scheduling/payoff.ts';

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
    this.didPay = (this.didPay || nowMs - this.askedMs > PAGE_QUIET_MS) && doesHelpPay(link, true);
    this.askedMs = nowMs;
    return this.didPay;
  }
}
