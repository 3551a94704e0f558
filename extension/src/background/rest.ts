/** What did not answer is left alone for this long, doubling to the limit. */
const REST_MS = 10_000;
const REST_LIMIT_MS = 600_000;

/** For how long something is left alone that did not answer: ever longer, until it does. */
export class Rest {
  private lengthMs = REST_MS;
  private untilMs = 0;

  begin(nowMs: number): void {
    this.untilMs = nowMs + this.lengthMs;
    this.lengthMs = Math.min(this.lengthMs * 2, REST_LIMIT_MS);
  }

  end(): void {
    this.untilMs = 0;
    this.lengthMs = REST_MS;
  }

  /** Milliseconds; 0 for what is not left alone. */
  leftMs(nowMs: number): number {
    // a clock that was set back keeps nothing alone for hours
    return Math.max(0, Math.min(this.untilMs - nowMs, REST_LIMIT_MS));
  }
}
