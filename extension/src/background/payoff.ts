import type { LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { doesHelpPay } from '../../../shared/src/scheduling/payoff.ts';

/** When nothing was asked for in this time no page is being loaded. */
const QUIET_MS = 2_000;

export interface PayoffHost {
  /** What is known of the link. */
  link(): LinkEstimate;
  /** What the helper knows of the link at its first handshake. */
  handshakeLink(rttMs: number): LinkEstimate;
  /** Whether nothing is asked for but by the browser: to step aside would do a page no harm that is being loaded. */
  mayStepAside(): boolean;
  /** Whether a page waits for what it has asked for: then it is being loaded, however long nothing was asked for. */
  isLoading(): boolean;
  /** It is another one now. */
  changed(): void;
}

/**
 * Decides whether the link is so slow that help pays, and when that may change: between pages; in the middle of one, to
 * step aside, while the browser asks for everything by itself; and at the first handshake of a helper, before which it
 * has asked for nothing that would be fetched twice. A short round trip speaks for a fast link until more is known: to
 * the helper too, which foresees nothing over a fast link. So the first handshake is judged by what the helper knows.
 */
export class Payoff {
  private readonly host: PayoffHost;
  private isFirstHandshake = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  pays = true;

  constructor(host: PayoffHost) {
    this.host = host;
  }

  /** Another helper, or none: it has asked for nothing yet. */
  helperChanged(): void {
    this.isFirstHandshake = true;
  }

  /** The helper has told of a round trip, which is in the estimate. */
  roundTrip(rttMs: number): void {
    if (this.isFirstHandshake) this.decide(this.host.handshakeLink(rttMs));
    this.isFirstHandshake = false;
  }

  /** Some page has been answered, and the estimate knows it. */
  answered(): void {
    if (this.pays && this.host.mayStepAside()) this.decide();
  }

  /** Some page has asked for something. */
  requested(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.host.isLoading()) this.requested();
      else this.decide();
    }, QUIET_MS);
  }

  private decide(link = this.host.link()): void {
    const pays = doesHelpPay(link, this.pays);
    if (pays === this.pays) return;
    this.pays = pays;
    this.host.changed();
  }
}
