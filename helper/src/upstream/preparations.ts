import type { FirstscreenError } from '../../../shared/src/errors.ts';

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: FirstscreenError) => void;
}

/** Who waits for a first connection, by origin. */
export class Preparations {
  private readonly waiting = new Map<string, Waiting[]>();

  wait(origin: string): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.set(origin, [...(this.waiting.get(origin) ?? []), { resolve, reject }]));
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
