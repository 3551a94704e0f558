import type { SimulatedClock } from './simulatedClock.ts';

/** An access link, as those of the benchmark (e2e/link/profile). */
export interface SimulatedProfile {
  readonly name: string;
  readonly rateBitsPerSecond: number;
  readonly rttMs: number;
  readonly queueBytes: number;
}

export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The way down is a drop-tail queue before a line of some rate; servers stand at its far end. The way up is never full. */
export class SimulatedLink {
  readonly profile: SimulatedProfile;
  /** When bytes came out of it at the near end, in the order of time; what touches is one. */
  readonly busy: Interval[] = [];
  private readonly clock: SimulatedClock;
  /** When all that is in the queue has been sent. */
  private freeMs = 0;

  constructor(clock: SimulatedClock, profile: SimulatedProfile) {
    this.clock = clock;
    this.profile = profile;
  }

  /** A packet of no size. */
  up(arrived: () => void): void {
    this.clock.after(this.profile.rttMs / 2, arrived);
  }

  /** @returns false when the queue is full, and the packet is dropped */
  down(bytes: number, arrived: () => void): boolean {
    const { rateBitsPerSecond, rttMs, queueBytes } = this.profile;
    const bytesPerMs = rateBitsPerSecond / 8_000;
    const startMs = Math.max(this.clock.nowMs, this.freeMs);
    if ((startMs - this.clock.nowMs) * bytesPerMs + bytes > queueBytes) return false;
    this.freeMs = startMs + bytes / bytesPerMs;
    const [fromMs, toMs] = [startMs + rttMs / 2, this.freeMs + rttMs / 2];
    this.clock.at(toMs, () => {
      this.note(fromMs, toMs);
      arrived();
    });
    return true;
  }

  private note(fromMs: number, toMs: number): void {
    const last = this.busy.at(-1);
    if (last !== undefined && last.toMs >= fromMs) this.busy[this.busy.length - 1] = { fromMs: last.fromMs, toMs };
    else this.busy.push({ fromMs, toMs });
  }
}
