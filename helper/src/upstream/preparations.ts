import type { FirstscreenError } from '../../../shared/src/errors.ts';
import type { AddressSpace } from '../names/addressPolicy.ts';

interface Waiting {
  readonly reach: AddressSpace | null;
  readonly resolve: () => void;
  readonly reject: (error: FirstscreenError) => void;
}

/** Who waits for a first connection, by origin. */
export class Preparations {
  private readonly waiting = new Map<string, Waiting[]>();

  /** @param reach how far a connection for this may go; null for anywhere */
  wait(origin: string, reach: AddressSpace | null): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.set(origin, [...(this.waiting.get(origin) ?? []), { reach, resolve, reject }]));
  }

  reachesTo(origin: string): (AddressSpace | null)[] {
    return (this.waiting.get(origin) ?? []).map(({ reach }) => reach);
  }

  /** There is a connection. */
  settle(origin: string): void {
    for (const { resolve } of this.take(origin)) resolve();
  }

  /** There can not be one now. */
  fail(origin: string, error: FirstscreenError): void {
    for (const { reject } of this.take(origin)) reject(error);
  }

  private take(origin: string): readonly Waiting[] {
    const waiting = this.waiting.get(origin) ?? [];
    this.waiting.delete(origin);
    return waiting;
  }
}
