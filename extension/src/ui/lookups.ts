/**
 * What a page shows of facts that change while they are looked up: one lookup at a time, and another after it if
 * something has changed meanwhile. Each is shown, or a page would show nothing while changes come faster than answers.
 */
export class Lookups<Facts> {
  private readonly lookUp: () => Promise<Facts>;
  private readonly show: (facts: Facts) => Promise<void> | void;
  /** Counts what the user has changed. */
  private changes = 0;
  private isDue = false;
  private running: Promise<void> | null = null;

  constructor(lookUp: () => Promise<Facts>, show: (facts: Facts) => Promise<void> | void) {
    this.lookUp = lookUp;
    this.show = show;
  }

  /** The facts may be others now. @returns when they are shown */
  refresh(): Promise<void> {
    this.isDue = true;
    this.running ??= this.run().finally(() => {
      this.running = null;
      // what came while a lookup failed
      if (this.isDue) void this.refresh();
    });
    return this.running;
  }

  /** The user has changed something just now: what was looked up before is not shown, as it would be changed back before their eyes. */
  outdate(): void {
    this.changes += 1;
  }

  private async run(): Promise<void> {
    while (this.isDue) {
      this.isDue = false;
      const before = this.changes;
      const facts = await this.lookUp();
      if (before === this.changes) await this.show(facts);
    }
  }
}
