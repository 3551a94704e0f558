import type { RequestEvent } from './requestEvent.ts';

/** The last events that nobody has taken yet: a consumer that is slow, or away, costs a bounded amount of memory and the oldest events. */
export class EventBuffer {
  private readonly ring: RequestEvent[] = [];
  private readonly capacity: number;
  /** Place of the oldest event. */
  private first = 0;
  private lost = 0;

  /** @param capacity in events, at least 1 */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  push(event: RequestEvent): void {
    if (this.ring.length < this.capacity) {
      this.ring.push(event);
      return;
    }
    this.ring[this.first] = event;
    this.first = (this.first + 1) % this.capacity;
    this.lost += 1;
  }

  /** All events since the last call, in their order; how many were lost comes before them. */
  take(): RequestEvent[] {
    const events = [...this.ring.slice(this.first), ...this.ring.slice(0, this.first)];
    const [oldest] = events;
    if (this.lost > 0 && oldest !== undefined) events.unshift({ type: 'lost', atMs: oldest.atMs, count: this.lost });
    [this.ring.length, this.first, this.lost] = [0, 0, 0];
    return events;
  }
}
