import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventBuffer } from './eventBuffer.ts';
import type { RequestEvent } from './requestEvent.ts';

const event = (request: number): RequestEvent => ({ type: 'resumed', atMs: request, request });

it('keeps the last events in their order, never more than its capacity, and counts those that were lost', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.nat(50), { maxLength: 5 }), (capacity, rounds) => {
    const buffer = new EventBuffer(capacity);
    let next = 0;
    for (const count of rounds) {
      for (let i = 0; i < count; i += 1) buffer.push(event(next++));
      const kept = Math.min(count, capacity);
      const expected = Array.from({ length: kept }, (_, place) => event(next - kept + place));
      const lost: RequestEvent[] = count > capacity ? [{ type: 'lost', atMs: next - kept, count: count - capacity }] : [];
      expect(buffer.take()).toEqual([...lost, ...expected]);
    }
    expect(buffer.take()).toEqual([]);
  }));
});
