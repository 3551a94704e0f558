import type { SpoolOptions } from './spooledBody.ts';

export type SpoolPlace = 'memory' | 'disk';

const MEBIBYTE = 1024 * 1024;
/** Of one body, and of all together. */
const ONE_BYTES = { memory: 1 * MEBIBYTE, disk: 256 * MEBIBYTE };
const ALL_BYTES = { memory: 32 * MEBIBYTE, disk: 1024 * MEBIBYTE };

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

/** A spool of the usual sizes, for all that comes one way. */
export function spoolOf(directory: string): SpoolOptions {
  return { budget: new SpoolBudget(ALL_BYTES), directory, maxBytes: ONE_BYTES };
}
