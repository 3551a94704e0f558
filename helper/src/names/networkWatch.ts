/** What is seen of the machine at a time. */
export interface NetworkMoment {
  /** By which it can be reached from outside. */
  readonly addresses: readonly string[];
  /** Milliseconds of a clock that stops while the machine sleeps, and of one that does not. */
  readonly awakeMs: number;
  readonly bootMs: number;
}

/** Shorter gaps are the clocks' own. */
const SLEEP_MS = 3_000;

/**
 * Notices that the machine has slept, or is in another network: addresses that were looked up may be of other machines
 * there, and connections lead nowhere. No I/O and no clock.
 */
export class NetworkWatch {
  private last: NetworkMoment;

  constructor(first: NetworkMoment) {
    this.last = first;
  }

  /** @returns what has happened since the last time */
  observe(moment: NetworkMoment): 'slept' | 'moved' | null {
    const { last } = this;
    this.last = moment;
    if (moment.bootMs - last.bootMs - (moment.awakeMs - last.awakeMs) > SLEEP_MS) return 'slept';
    return new Set([...last.addresses, ...moment.addresses]).size > Math.min(new Set(last.addresses).size, new Set(moment.addresses).size) ? 'moved' : null;
  }
}
