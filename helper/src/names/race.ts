/** What is tried: it settles once, and can be given up. */
export interface Attempt<T> {
  readonly result: Promise<T>;
  /** The race is won by another; a result that comes all the same is disposed of. */
  cancel(): void;
}

export interface RaceOptions {
  /** How long an attempt runs alone before the next begins beside it (RFC 8305, section 5: Connection Attempt Delay). */
  readonly delayMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Tries one candidate after the other, the next when one has failed or taken long, and gives the first result (RFC 8305, "Happy Eyeballs").
 *
 * @throws AggregateError of all failures, in the order of the candidates; the signal's reason when it is aborted
 */
export function race<C, T>(candidates: readonly C[], start: (candidate: C) => Attempt<T>, { delayMs, signal }: RaceOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    const running = new Set<Attempt<T>>();
    const errors: unknown[] = [];
    let next = 0;
    let timer: NodeJS.Timeout | undefined;

    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      for (const attempt of running) attempt.cancel();
      running.clear();
      next = candidates.length;
    };
    const abort = (): void => {
      end();
      reject(signal?.reason as Error);
    };
    const begin = (): void => {
      clearTimeout(timer);
      const candidate = candidates[next];
      if (candidate === undefined) {
        if (running.size === 0) {
          end();
          reject(new AggregateError(errors, 'every attempt failed'));
        }
        return;
      }
      const place = next;
      next += 1;
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
      timer = setTimeout(begin, delayMs);
    };

    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    signal?.addEventListener('abort', abort);
    begin();
  });
}
