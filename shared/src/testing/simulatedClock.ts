interface Event {
  readonly atMs: number;
  readonly action: () => void;
}

/** Time that passes from event to event, as fast as a test runs. */
export class SimulatedClock {
  nowMs = 0;
  /** The next one last. */
  private readonly events: Event[] = [];

  /** Events of one moment happen in the order of their planning. */
  at(atMs: number, action: () => void): void {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?.atMs ?? 0) > atMs) low = middle + 1;
      else high = middle;
    }
    this.events.splice(low, 0, { atMs, action });
  }

  after(ms: number, action: () => void): void {
    this.at(this.nowMs + ms, action);
  }

  /** Until nothing is planned any more, or nothing before that moment. */
  run(untilMs: number): void {
    for (let next = this.events.at(-1); next !== undefined && next.atMs <= untilMs; next = this.events.at(-1)) {
      this.events.pop();
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.action();
    }
  }
}
