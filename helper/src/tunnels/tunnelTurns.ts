import { authorityOf, type Destination } from '../../../shared/src/names/authority.ts';
import type { TunnelBudget } from './tunnelBudget.ts';

/** The place of one CONNECT among all. */
export interface TunnelTurn {
  /** Settles when the CONNECT may be answered, or has ended. */
  readonly granted: Promise<void>;
  serverSent(): void;
  browserSent(): void;
  /** The browser wants it no more, or there is no connection for it; once is enough. */
  ended(): void;
}

/** Keeps CONNECTs waiting as the budget says, by the clock. */
export class TunnelTurns {
  private readonly budget: TunnelBudget;
  private readonly rttMs: () => number;
  private readonly waiting = new Map<number, () => void>();
  private nextId = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param rttMs of the link, as far as is known */
  constructor(budget: TunnelBudget, rttMs: () => number) {
    this.budget = budget;
    this.rttMs = rttMs;
  }

  ask(destination: Destination): TunnelTurn {
    const id = this.nextId++;
    const granted = new Promise<void>((resolve) => this.waiting.set(id, resolve));
    this.grant(this.budget.asked(id, authorityOf(destination), this.rttMs(), performance.now()));
    return {
      granted,
      serverSent: () => this.budget.serverSent(id),
      browserSent: () => {
        if (this.budget.browserSent(id, performance.now())) this.setTimer();
      },
      ended: () => this.grant([id, ...this.budget.closed(id, performance.now())]),
    };
  }

  private grant(ids: readonly number[]): void {
    for (const id of ids) {
      this.waiting.get(id)?.();
      this.waiting.delete(id);
    }
    this.setTimer();
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const timerMs = this.budget.nextTimerMs;
    if (timerMs !== null) this.timer = setTimeout(() => this.grant(this.budget.advance(performance.now())), Math.max(0, timerMs - performance.now()));
  }
}
