import { describe, expect, it } from 'vitest';
import { FIRST_WINDOW_BYTES, MAX_WINDOW_BYTES, ReceiveWindow, withoutQueue } from './receiveWindow.ts';

const RTT_MS = 150;
const PIECE_BYTES = 1_400;

/** A sender that the window alone limits: all of it is on the way, and comes at the link's rate. @returns the window after so much */
function fill(rateBitsPerSecond: number, totalBytes: number): number {
  const window = new ReceiveWindow(RTT_MS);
  let nowMs = 0;
  for (let bytes = 0; bytes < totalBytes; bytes += PIECE_BYTES) {
    // no more than the window in a round trip
    nowMs += Math.max((PIECE_BYTES * 8_000) / rateBitsPerSecond, (PIECE_BYTES * RTT_MS) / window.bytes);
    window.received(PIECE_BYTES, nowMs);
  }
  return window.bytes;
}

describe('ReceiveWindow', () => {
  it('stays as it is on a link that takes more than two round trips for it', () => {
    expect(fill(1_600_000, 3_000_000)).toBe(FIRST_WINDOW_BYTES);
  });

  it.each([10_000_000, 50_000_000, 1_000_000_000])('is no limit of a link of %i bit/s', (rate) => {
    const bdpBytes = (rate / 8_000) * RTT_MS;
    expect(fill(rate, 50 * bdpBytes)).toBeGreaterThanOrEqual(Math.min(bdpBytes, 16 * 1024 * 1024));
  });

  it('is as large as it needs to be within a few times of it', () => {
    expect(fill(10_000_000, 400_000)).toBeGreaterThanOrEqual((10_000_000 / 8_000) * RTT_MS);
  });

  it('never grows when it begins as large as any', () => {
    const window = new ReceiveWindow(RTT_MS, MAX_WINDOW_BYTES);
    expect(window.received(2 * MAX_WINDOW_BYTES, 1)).toBe(false);
    expect(window.bytes).toBe(MAX_WINDOW_BYTES);
  });

  it('small answers with pauses do not make it larger', () => {
    const window = new ReceiveWindow(RTT_MS);
    for (let nowMs = 0; nowMs < 60_000; nowMs += RTT_MS) window.received(20_000, nowMs);
    expect(window.bytes).toBe(FIRST_WINDOW_BYTES);
  });
});

it.each([
  ['met no queue', 140, 150, 140],
  ['met a queue', 290, 150, 150],
  ['is of a farther server', 310, 150, 310],
])('a handshake that %s', (_, handshakeMs, linkRttMs, expected) => expect(withoutQueue(handshakeMs, linkRttMs)).toBe(expected));
