import type { LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { PAGE_QUIET_MS, doesHelpPay } from '../../../shared/src/scheduling/payoff.ts';

export interface PayoffHost {
  /** What is known of the link. */
  link(): LinkEstimate;
  /** Whether enough has come to know it by, rather than by what is assumed. */
  isMeasured(): boolean;
  /** What the helper knows of the link at its first handshake. */
  handshakeLink(rttMs: number): LinkEstimate;
  /** Whether nothing is asked for but by the browser: to step aside would do a page no harm that is being loaded. */
  mayStepAside(): boolean;
  /** Whether a page waits for what it has asked for: then it is being loaded, however long nothing was asked for. */
  isLoading(): boolean;
  /** It is another one now. */
  changed(): void;
  /** Nothing is asked for any more, and it has been decided. */
  rested(): void;
}

/**
 * Decides whether the link is so slow that help pays, and when that may change: between pages; in the middle of one, to
 * step aside, while the browser asks for everything by itself; and at round trips that a helper tells of before it is
 * asked for anything, or at its first one if that is later, as nothing would be fetched twice. A short round trip speaks for a fast link until more is known: to
 * the helper too, which foresees nothing over a fast link. So these are judged by what the helper knows. A program that
 * has just been started sees answers late: the least round trip counts, and a relay is asked for several.
 * A network that is remembered as fast is taken for that until something was measured there (docs/adr/0073).
 */
export class Payoff {
  private readonly host: PayoffHost;
  /** The helper, as far as is known. */
  private hasAskedNothing = true;
  private hasToldRoundTrip = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isResting = true;
  /** Whether something of the page came that is being loaded: it may be in the memory cache. */
  private isAnswered = false;
  /** It is remembered as fast, and nothing was measured. */
  private isRemembered = false;
  /** To be taken up between pages; null for nothing. */
  private next: boolean | null = null;
  pays = true;
  /** Whether requests are listened to as where help pays: that does not end in the middle of a page (docs/adr/0097). */
  listens = true;

  constructor(host: PayoffHost) {
    this.host = host;
  }

  /** Another helper, or none: it has asked for nothing yet. */
  helperChanged(): void {
    [this.hasAskedNothing, this.hasToldRoundTrip] = [true, false];
  }

  /**
   * The network that the machine is in is remembered as fast, or it is another one than before and is not: as a browser
   * is started there.
   */
  begin(pays: boolean): void {
    this.next = null;
    if (!this.isResting && (pays || !this.host.mayStepAside())) {
      this.next = pays;
      return;
    }
    this.isRemembered = !pays;
    this.set(pays);
  }

  /** The helper has told of a round trip, which is in the estimate. */
  roundTrip(rttMs: number): void {
    if (this.hasAskedNothing) this.decide(this.host.handshakeLink(rttMs));
    this.hasToldRoundTrip = true;
    if (!this.isResting) this.hasAskedNothing = false;
  }

  /** Some page has been answered, and the estimate knows it. */
  answered(): void {
    this.isAnswered = true;
    if (this.pays && this.host.mayStepAside()) this.decide();
  }

  /** Some page has asked for something. */
  requested(): void {
    clearTimeout(this.timer);
    this.isResting = false;
    if (this.hasToldRoundTrip) this.hasAskedNothing = false;
    this.timer = setTimeout(() => {
      if (this.host.isLoading()) this.requested();
      else this.rest();
    }, PAGE_QUIET_MS);
  }

  private rest(): void {
    this.isResting = true;
    this.isAnswered = false;
    if (this.next !== null) this.begin(this.next);
    const isMeasured = this.host.isMeasured();
    if (isMeasured || !this.isRemembered) this.decide();
    // a near server on a slow link would overrule what was measured
    if (isMeasured) this.hasAskedNothing = false;
    // it has stepped aside in the middle of the page that is over
    if (this.listens !== this.pays) this.change();
    this.host.rested();
  }

  private decide(link = this.host.link()): void {
    this.isRemembered = false;
    this.set(doesHelpPay(link, this.pays));
  }

  private set(pays: boolean): void {
    if (pays === this.pays) return;
    this.pays = pays;
    this.change();
  }

  private change(): void {
    if (this.pays || this.isResting || !this.isAnswered) this.listens = this.pays;
    this.host.changed();
  }
}
