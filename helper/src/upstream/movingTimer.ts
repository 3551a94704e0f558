/**
 * Calls when a moment has come that may be another one with each piece of an answer. Mostly it moves on: a timer that is
 * set is left as it is then, and sees when it ends whether it was too soon.
 */
export class MovingTimer {
  private readonly due: () => void;
  private dueMs: number | null = null;
  private endsMs = Infinity;
  private timer: NodeJS.Timeout | undefined;

  /** @param due called once for each moment that comes */
  constructor(due: () => void) {
    this.due = due;
  }

  /** @param dueMs of `performance.now`, in the place of what was said before; null for never */
  set(dueMs: number | null): void {
    this.dueMs = dueMs;
    if (dueMs === null || dueMs >= this.endsMs) return;
    clearTimeout(this.timer);
    this.endsMs = dueMs;
    this.timer = setTimeout(() => this.ended(), Math.max(0, dueMs - performance.now()));
  }

  /** Nothing is called any more. */
  close(): void {
    clearTimeout(this.timer);
    this.endsMs = -Infinity;
  }

  private ended(): void {
    const { dueMs } = this;
    this.endsMs = Infinity;
    this.dueMs = null;
    if (dueMs === null) return;
    if (performance.now() < dueMs) this.set(dueMs);
    else this.due();
  }
}
