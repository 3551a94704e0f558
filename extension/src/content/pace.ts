/** Keeps a job that is asked for again and again to a share of the main thread's time: the more a run costs, the longer until the next. */
export class Pace {
  private readonly share: number;
  private nextMs = 0;

  /** @param share of the time, 0 to 1 */
  constructor(share: number) {
    this.share = share;
  }

  /** Milliseconds until the job may run again; 0 when it may now. */
  waitMs(): number {
    return Math.max(0, this.nextMs - performance.now());
  }

  run<T>(job: () => T): T {
    const startMs = performance.now();
    try {
      return job();
    } finally {
      const endMs = performance.now();
      this.nextMs = endMs + (endMs - startMs) / this.share;
    }
  }
}
