import { describe, expect, it } from 'vitest';
import { OnTheWay } from './onTheWay.ts';

const TURN_BYTES = 16_384;

interface Way {
  /** Share of what the link could have carried in the second half. */
  readonly use: number;
  /** Most that stood before the bottleneck in the second half, in milliseconds of its time. */
  readonly queueMs: number;
}

/** One stream, alone on a link, sent as soon as there is room. */
function alone({ bytesPerMs, rttMs, canWait, forMs = 60_000 }: { readonly bytesPerMs: number; readonly rttMs: number; readonly canWait: boolean; readonly forMs?: number }): Way {
  const way = new OnTheWay();
  const answers: number[] = [];
  let [sent, freeMs, arrived, queueMs] = [0, 0, 0, 0];
  for (let nowMs = 0; nowMs < forMs; nowMs += 1) {
    while ((answers[0] ?? Infinity) <= nowMs) way.answered(answers.shift() ?? 0);
    while (way.hasRoom(canWait, nowMs)) {
      way.sent(TURN_BYTES, nowMs);
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

describe.each([[true, 0.4], [false, 0.65]])('one stream, alone on a link; it can wait: %s', (canWait, rtts) => {
  it.each([
    ['slow and far', 200, 150], ['very slow', 25, 300], ['slow and near', 200, 20], ['fast and far', 12_500, 180], ['of a satellite', 2_500, 600],
  ])('%s: keeps it busy, and hardly more', (_, bytesPerMs, rttMs) => {
    const { use, queueMs } = alone({ bytesPerMs, rttMs, canWait });
    expect(use).toBeGreaterThan(0.97);
    expect(queueMs).toBeLessThan(Math.max(rtts * rttMs + TURN_BYTES / bytesPerMs, (4 * TURN_BYTES) / bytesPerMs));
  });
});

it('what is answered late may have arrived: what can not wait goes on, at the rate of the link, for a while', () => {
  const way = new OnTheWay();
  const [bytesPerMs, rttMs] = [200, 150];
  let nowMs = 0;
  const answers: number[] = [];
  /** Sends what may go for so long; with answers, or with none. @returns how much went */
  const run = (forMs: number, isAnswered: boolean): number => {
    let bytes = 0;
    for (const endMs = nowMs + forMs; nowMs < endMs; nowMs += 1) {
      while (isAnswered && (answers[0] ?? Infinity) <= nowMs) way.answered((answers.shift(), nowMs));
      while (way.hasRoom(false, nowMs)) {
        way.sent(TURN_BYTES, nowMs);
        bytes += TURN_BYTES;
        if (way.mark(nowMs)) answers.push(Math.max((answers.at(-1) ?? 0) + TURN_BYTES / bytesPerMs, nowMs + rttMs));
      }
    }
    return bytes;
  };
  run(5_000, true);
  const stalled = run(300, false);
  // a round trip's worth twice, and what is decided at once
  expect(stalled).toBeGreaterThan(200 * bytesPerMs);
  expect(stalled).toBeLessThan(400 * bytesPerMs + TURN_BYTES);
  expect(way.hasRoom(true, nowMs)).toBe(false);
  expect(run(10_000, false)).toBeLessThan(200 * bytesPerMs);
});

it.each([true, false])('a link that falls to a hundredth of its rate goes on at that; what is sent can wait: %s', (canWait) => {
  const way = new OnTheWay();
  const [rttMs, fallsMs, endMs] = [100, 5_000, 200_000];
  const answers: number[] = [];
  let [freeMs, late] = [0, 0];
  for (let nowMs = 0; nowMs < endMs; nowMs += 1) {
    const bytesPerMs = nowMs < fallsMs ? 12_500 : 125;
    while ((answers[0] ?? Infinity) <= nowMs) way.answered(answers.shift() ?? 0);
    while (way.hasRoom(canWait, nowMs)) {
      way.sent(TURN_BYTES, nowMs);
      if (nowMs >= endMs / 2) late += TURN_BYTES;
      freeMs = Math.max(freeMs, nowMs) + TURN_BYTES / bytesPerMs;
      if (way.mark(nowMs)) answers.push(freeMs + rttMs);
    }
  }
  expect(late).toBeGreaterThan(0.9 * 125 * (endMs / 2));
});

describe('marks', () => {
  it('are few however much is on the way, and what has not been answered has not arrived', () => {
    const way = new OnTheWay();
    let marks = 0;
    for (let turn = 0; turn < 1_000; turn += 1) {
      way.sent(TURN_BYTES, turn);
      if (way.mark(turn)) marks += 1;
    }
    expect(marks).toBeLessThanOrEqual(16);
    expect(way.hasRoom(false, 0)).toBe(false);
  });

  it('of a connection that begins are close: what little has arrived makes room for as much', () => {
    const [way, rttMs] = [new OnTheWay(), 150];
    way.mark(0);
    way.answered(rttMs);
    way.sent(15_000, 200);
    expect(way.mark(200)).toBe(true);
    expect(way.mark(200)).toBe(false);
    way.answered(200 + rttMs);
    let bytes = 0;
    for (; way.hasRoom(false, 420); bytes += 1_000) {
      way.sent(1_000, 420);
      way.mark(420);
    }
    expect(bytes).toBeGreaterThanOrEqual(32_768);
  });

  it('an answer to none is nothing', () => {
    const way = new OnTheWay();
    way.answered(5);
    expect(way.hasRoom(true, 5)).toBe(true);
  });

  it('a link that has become slower is filled no more than it is now, after a while', () => {
    const way = new OnTheWay();
    const carry = (fromMs: number, bytesPerTurn: number, turnMs: number, count: number): void => {
      for (let turn = 0; turn < count; turn += 1) {
        way.sent(bytesPerTurn, fromMs + turn * turnMs);
        if (way.mark(fromMs + turn * turnMs)) way.answered(fromMs + turn * turnMs + 100);
      }
    };
    carry(0, 1_000_000, 100, 10);
    way.sent(500_000, 1_000);
    way.mark(1_000);
    expect(way.hasRoom(true, 1_000)).toBe(true);
    way.answered(1_100);
    carry(11_000, 20_000, 100, 2_000);
    way.sent(50_000, 211_000);
    way.mark(211_000);
    expect(way.hasRoom(true, 211_000)).toBe(false);
  });
});
