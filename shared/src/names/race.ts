/** What is tried: it settles once, and can be given up. */
export interface Attempt<T> {
  readonly result: Promise<T>;
  /** The race is won by another; a result that comes all the same is disposed of. */
  cancel(): void;
}

/** Calls back after so many milliseconds. @returns takes it back */
export type After = (delayMs: number, callback: () => void) => () => void;

/** RFC 8305, section 5. */
const MIN_ATTEMPT_DELAY_MS = 250;
/** A second attempt before the first could be answered is only traffic. */
const ATTEMPT_DELAY_RTTS = 1.5;

/** How long an attempt runs alone over a link of this round trip (RFC 8305, section 5: Connection Attempt Delay). */
export function attemptDelayMs(rttMs: number): number {
  return Math.max(MIN_ATTEMPT_DELAY_MS, ATTEMPT_DELAY_RTTS * rttMs);
}

/**
 * Tries one candidate after the other, the next when one has failed or taken long, and gives the first result (RFC 8305, "Happy Eyeballs").
 *
 * @param delayMs how long the attempt at this place, from 0, runs alone before the next begins beside it
 * @throws AggregateError of all failures, in the order of the candidates
 */
export function race<C, T>(candidates: readonly C[], start: (candidate: C) => Attempt<T>, delayMs: (place: number) => number, after: After): Promise<T> {
  return new Promise((resolve, reject) => {
    const running = new Set<Attempt<T>>();
    const errors: unknown[] = [];
    let next = 0;
    let stopTimer = (): void => undefined;

    const end = (): void => {
      stopTimer();
      for (const attempt of running) attempt.cancel();
      running.clear();
      next = candidates.length;
    };
    const begin = (): void => {
      stopTimer();
      const candidate = candidates[next];
      if (candidate === undefined) {
        if (running.size === 0) reject(new AggregateError(errors, 'every attempt failed'));
        return;
      }
      const place = next++;
      const attempt = start(candidate);
      running.add(attempt);
      attempt.result.then(
        (result) => {
          if (!running.delete(attempt)) return;
          end();
          resolve(result);
        },
        (error: unknown) => {
          if (!running.delete(attempt)) return;
          errors[place] = error;
          begin();
        },
      );
      stopTimer = after(delayMs(place), begin);
    };

    begin();
  });
}
