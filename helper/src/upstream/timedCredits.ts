import type { FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { StreamCredits } from '../../../shared/src/fetching/streamCredits.ts';
import { MovingTimer } from './movingTimer.ts';

/** A stream's place among all (`StreamCredit`), as of now. */
export interface TimedCredit {
  answered(length: number | null): void;
  received(bytes: number): void;
  rank(object: FetchObject): void;
  hold(isHeld: boolean): void;
  end(): void;
}

/** Credits of streams, and the clock that they go by. */
export class TimedCredits {
  private readonly credits: StreamCredits;
  private readonly timer = new MovingTimer(() => {
    this.credits.advance(performance.now());
    this.setTimer();
  });

  constructor(credits: StreamCredits) {
    this.credits = credits;
  }

  /** As `StreamCredits.open`. */
  open(object: FetchObject, give: (bytes: number) => void, unreadBytes: number): TimedCredit {
    const credit = this.credits.open(object, give, performance.now(), unreadBytes);
    const tell = (event: (nowMs: number) => void): void => {
      event(performance.now());
      this.setTimer();
    };
    this.setTimer();
    return {
      answered: (length) => tell((nowMs) => credit.answered(length, nowMs)),
      received: (bytes) => tell((nowMs) => credit.received(bytes, nowMs)),
      rank: (ranked) => tell((nowMs) => credit.rank(ranked, nowMs)),
      hold: (isHeld) => tell((nowMs) => credit.hold(isHeld, nowMs)),
      end: () => tell((nowMs) => credit.end(nowMs)),
    };
  }

  close(): void {
    this.timer.close();
  }

  private setTimer(): void {
    this.timer.set(this.credits.nextTimerMs);
  }
}
