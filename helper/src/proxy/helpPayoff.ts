import type { LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { doesHelpPay } from '../../../shared/src/scheduling/payoff.ts';

/** When nothing was asked in this time a page is over, as it is for the extension. */
const QUIET_MS = 2_000;

/**
 * Whether the link is so slow that what the helper could do now gains more than it costs. In the middle of a page a link
 * that was fast counts as slow only when it seems many times slower: one that holds the processor up makes any link look
 * slower than it is. Between pages it is judged anew, as the browser goes by the helper only where help pays.
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
    this.didPay = doesHelpPay(link, this.didPay || nowMs - this.askedMs > QUIET_MS);
    this.askedMs = nowMs;
    return this.didPay;
  }
}
