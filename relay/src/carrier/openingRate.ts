import type { CarrierLimits } from './limits.ts';

const MS_PER_SECOND = 1_000;

/** How many streams a client opens: so many at once, and so many a second for as long as it goes on. No clock: moments are arguments. */
export class OpeningRate {
  private readonly perSecond: number;
  private readonly atOnce: number;
  private left: number;
  private sinceMs = 0;

  constructor(perSecond: number, atOnce: number) {
    [this.perSecond, this.atOnce, this.left] = [perSecond, atOnce, atOnce];
  }

  /** @returns whether one more may be opened, which counts then */
  take(nowMs: number): boolean {
    this.left = Math.min(this.atOnce, this.left + ((nowMs - this.sinceMs) * this.perSecond) / MS_PER_SECOND);
    this.sinceMs = nowMs;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}

/** Those of all clients: one that ends its carriers and comes again has no more than before. */
export class OpeningRates {
  private readonly limits: Pick<CarrierLimits, 'openingsPerSecond' | 'openingsAtOnce'>;
  private readonly rates = new Map<string, OpeningRate>();

  constructor(limits: OpeningRates['limits']) {
    this.limits = limits;
  }

  /** @param client one that is known, so that there are few */
  of(client: string): OpeningRate {
    const { openingsPerSecond, openingsAtOnce } = this.limits;
    const rate = this.rates.get(client) ?? new OpeningRate(openingsPerSecond, openingsAtOnce);
    this.rates.set(client, rate);
    return rate;
  }
}
