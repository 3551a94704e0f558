export type SpoolPlace = 'memory' | 'disk';

/** How much all spools together may keep, in memory and on disk. */
export class SpoolBudget {
  private readonly limits: Readonly<Record<SpoolPlace, number>>;
  private readonly used: Record<SpoolPlace, number> = { memory: 0, disk: 0 };

  /** @param limits in bytes */
  constructor(limits: Readonly<Record<SpoolPlace, number>>) {
    this.limits = limits;
  }

  /** @returns false, and takes nothing, when it would pass the limit */
  take(place: SpoolPlace, bytes: number): boolean {
    if (this.used[place] + bytes > this.limits[place]) return false;
    this.used[place] += bytes;
    return true;
  }

  give(place: SpoolPlace, bytes: number): void {
    this.used[place] -= bytes;
  }
}
