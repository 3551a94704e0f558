import { describe, expect, it } from 'vitest';
import { OnTheWay } from './onTheWay.ts';

const TURN_BYTES = 16_384;

interface Way {
  /** Share of what the link could have carried in the second half. */
  readonly use: number;
  /** Most that stood before the bottleneck in the second half, in milliseconds of its time. */
  readonly queueMs: number;
}

/** What can wait, alone on a link, sent as soon as there is room. */
function alone({ bytesPerMs, rttMs, forMs = 25_000 }: { readonly bytesPerMs: number; readonly rttMs: number; readonly forMs?: number }): Way {
  const way = new OnTheWay();
  const answers: number[] = [];
  let [sent, freeMs, arrived, queueMs] = [0, 0, 0, 0];
  for (let nowMs = 0; nowMs < forMs; nowMs += 1) {
    while ((answers[0] ?? Infinity) <= nowMs) way.answered(answers.shift() ?? 0);
    while (way.hasRoom) {
      way.sent(TURN_BYTES);
      sent += TURN_BYTES;
      freeMs = Math.max(freeMs, nowMs) + TURN_BYTES / bytesPerMs;
      if (way.mark(nowMs)) answers.push(freeMs + rttMs);
    }
    if (nowMs < forMs / 2) arrived = sent - Math.max(0, freeMs - nowMs) * bytesPerMs;
    else queueMs = Math.max(queueMs, freeMs - nowMs);
  }
  const last = sent - Math.max(0, freeMs - forMs) * bytesPerMs;
  return { use: (last - arrived) / (bytesPerMs * (forMs / 2)), queueMs };
}

describe('what can wait, alone on a link', () => {
  it.each([
    ['slow and far', 200, 150], ['very slow', 25, 300], ['slow and near', 200, 20], ['fast and far', 12_500, 180], ['of a satellite', 2_500, 600],
  ])('%s: keeps it busy, and hardly more', (_, bytesPerMs, rttMs) => {
    const { use, queueMs } = alone({ bytesPerMs, rttMs });
    expect(use).toBeGreaterThan(0.97);
    expect(queueMs).toBeLessThan(Math.max(0.4 * rttMs + TURN_BYTES / bytesPerMs, (2 * TURN_BYTES + TURN_BYTES) / bytesPerMs));
  });
});

describe('marks', () => {
  it('are few however much is on the way, and what has not been answered has not arrived', () => {
    const way = new OnTheWay();
    let marks = 0;
    for (let turn = 0; turn < 1_000; turn += 1) {
      way.sent(TURN_BYTES);
      if (way.mark(turn)) marks += 1;
    }
    expect(marks).toBeLessThanOrEqual(16);
    expect(way.hasRoom).toBe(false);
  });

  it('an answer to none is nothing', () => {
    const way = new OnTheWay();
    way.answered(5);
    expect(way.hasRoom).toBe(true);
  });

  it('a link that has become slower is filled no more than it is now, after a while', () => {
    const way = new OnTheWay();
    const carry = (fromMs: number, bytesPerTurn: number, turnMs: number, count: number): void => {
      for (let turn = 0; turn < count; turn += 1) {
        way.sent(bytesPerTurn);
        if (way.mark(fromMs + turn * turnMs)) way.answered(fromMs + turn * turnMs + 100);
      }
    };
    carry(0, 1_000_000, 100, 10);
    way.sent(500_000);
    expect(way.hasRoom).toBe(true);
    carry(11_000, 20_000, 100, 600);
    way.sent(50_000);
    expect(way.hasRoom).toBe(false);
  });
});
