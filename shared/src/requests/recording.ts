import type { RequestEvent } from './requestEvent.ts';
import { RequestRecorder } from './requestRecorder.ts';

/**
 * Who hears of the way of each request: nobody, until somebody listens. Those who carry requests read `recorder` each time;
 * while it is null a request costs them that and nothing else. No I/O and no clock.
 */
export class Recording {
  /** Milliseconds of a monotonic clock: the time of every event. */
  readonly now: () => number;
  private readonly listeners = new Set<(event: RequestEvent) => void>();
  private current: RequestRecorder | null = null;

  constructor(now: () => number) {
    this.now = now;
  }

  get recorder(): RequestRecorder | null {
    return this.current;
  }

  /**
   * From now on. Of requests that are under way when the first one listens, only what is said anew is heard.
   *
   * @returns ends it
   */
  listen(listener: (event: RequestEvent) => void): () => void {
    this.listeners.add(listener);
    this.current ??= new RequestRecorder((event) => {
      for (const each of this.listeners) each(event);
    }, this.now);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.current = null;
    };
  }
}
