/** What did not answer is left alone for this long, doubling to the limit. */
const FIRST_MS = 10_000;
const LIMIT_MS = 600_000;

/** For how long something is left alone that did not answer: ever longer, until it does. */
export class Backoff {
  private nextMs = FIRST_MS;
  private untilMs = 0;

  /** @returns for how long, in milliseconds */
  begin(nowMs: number): number {
    const lengthMs = this.nextMs;
    this.untilMs = nowMs + lengthMs;
    this.nextMs = Math.min(lengthMs * 2, LIMIT_MS);
    return lengthMs;
  }

  end(): void {
    this.untilMs = 0;
    this.nextMs = FIRST_MS;
  }

  /** Milliseconds; 0 for what is not left alone. */
  leftMs(nowMs: number): number {
    // a clock that was set back keeps nothing alone for hours
    return Math.max(0, Math.min(this.untilMs - nowMs, LIMIT_MS));
  }
}
