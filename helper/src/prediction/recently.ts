/** What happened within the last while, by name. */
export class Recently {
  private readonly forMs: number;
  /** The longest ago first. */
  private readonly times = new Map<string, number>();

  /** @param forMs how long it counts */
  constructor(forMs: number) {
    this.forMs = forMs;
  }

  add(name: string, nowMs: number): void {
    this.times.delete(name);
    this.times.set(name, nowMs);
    for (const [oldest, ms] of this.times) {
      if (nowMs - ms <= this.forMs) return;
      this.times.delete(oldest);
    }
  }

  has(name: string, nowMs: number): boolean {
    const ms = this.times.get(name);
    return ms !== undefined && nowMs - ms <= this.forMs;
  }

  get size(): number {
    return this.times.size;
  }
}
