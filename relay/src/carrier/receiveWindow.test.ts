import { expect, it } from 'vitest';
import { LEAST_WINDOW_BYTES, ReceiveWindow } from './receiveWindow.ts';

const PACKET_BYTES = 1_400;

/** An upload of some seconds over a link: as much is on its way as the window lets, and the link carries it at its rate. @returns the window in the end */
function windowAfterUpload(bitsPerSecond: number, rttMs: number, window = new ReceiveWindow()): number {
  const perPacketMs = (8_000 * PACKET_BYTES) / bitsPerSecond;
  /** When what has come may be followed by more. */
  const returns: number[] = [];
  let [nowMs, onTheWay] = [0, 0];
  while (nowMs < 5_000) {
    while ((returns[0] ?? Infinity) <= nowMs) {
      returns.shift();
      onTheWay -= PACKET_BYTES;
    }
    if (onTheWay + PACKET_BYTES > window.bytes) nowMs = returns[0] ?? nowMs + perPacketMs;
    else {
      nowMs += perPacketMs;
      onTheWay += PACKET_BYTES;
      returns.push(nowMs + rttMs);
      window.received(PACKET_BYTES, rttMs, nowMs + rttMs / 2);
    }
  }
  return window.bytes;
}

it.each([
  ['20 Mbit/s, 100 ms', 20e6, 100],
  ['50 Mbit/s, 40 ms', 50e6, 40],
  ['5 Mbit/s, 300 ms', 5e6, 300],
])('an upload over %s is not held up by its window, nor is much more let go', (_, bitsPerSecond, rttMs) => {
  const bdpBytes = (bitsPerSecond * rttMs) / 8_000;
  const window = windowAfterUpload(bitsPerSecond, rttMs);
  expect(window).toBeGreaterThan(bdpBytes);
  expect(window).toBeLessThanOrEqual(3.1 * bdpBytes);
});

it('of a narrow link stays as it is', () => expect(windowAfterUpload(1e6, 150)).toBe(LEAST_WINDOW_BYTES));

it('has an end', () => expect(windowAfterUpload(1e9, 300)).toBe(1_048_576));

it('stays as it is while the round trip is not known, and after few bytes', () => {
  const window = new ReceiveWindow();
  expect([window.received(10_000_000, 0, 0), window.received(10_000_000, 0, 1_000)]).toEqual([false, false]);
  const idle = new ReceiveWindow();
  expect([idle.received(60_000, 100, 0), idle.received(1_000, 100, 60_000)]).toEqual([false, false]);
  expect([window.bytes, idle.bytes]).toEqual([LEAST_WINDOW_BYTES, LEAST_WINDOW_BYTES]);
});

it('is the least again, and stays so, where servers do not take what comes', () => {
  const window = new ReceiveWindow();
  windowAfterUpload(20e6, 100, window);
  expect([window.shrink(), window.shrink()]).toEqual([true, false]);
  expect(windowAfterUpload(20e6, 100, window)).toBe(LEAST_WINDOW_BYTES);
});
