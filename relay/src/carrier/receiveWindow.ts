/** What a client may have sent on a stream before anybody reads it, at first: bytes that come before a server is there. */
export const LEAST_WINDOW_BYTES = 65_536;
/** 84 Mbit/s over a round trip of 100 ms. */
const MOST_WINDOW_BYTES = 1_048_576;
/** So that what is on the way twice a round trip may be, and the next is let go before the last has been read. */
const WINDOW_BDPS = 1.5;
/** Of a shorter time the rate is not told well: on loopback a round trip is nothing. */
const MIN_SAMPLE_MS = 20;

/**
 * How much a client may send on a stream that nobody has read yet (RFC 9113, section 5.2): so much that an upload is not held up by the round trip of a long link, and no more. What is beyond that
 * would wait at the client's end of a narrow link, before all that it asks for next. So the window follows what comes in a round trip, as a receiver of TCP lets its own grow. No I/O and no clock.
 */
export class ReceiveWindow {
  bytes = LEAST_WINDOW_BYTES;
  private receivedBytes = 0;
  private sinceMs: number | null = null;
  private mayGrow = true;

  /**
   * Something has come.
   *
   * @param rttMs least round trip of the link; 0 where it is not known yet
   * @returns whether the window is another one now
   */
  received(bytes: number, rttMs: number, nowMs: number): boolean {
    this.sinceMs ??= nowMs;
    const elapsedMs = nowMs - this.sinceMs;
    this.receivedBytes += bytes;
    if (rttMs === 0 || elapsedMs < Math.max(rttMs, MIN_SAMPLE_MS)) return false;
    const inRoundTrip = (this.receivedBytes * rttMs) / elapsedMs;
    [this.receivedBytes, this.sinceMs] = [0, nowMs];
    if (!this.mayGrow || this.bytes >= MOST_WINDOW_BYTES || WINDOW_BDPS * inRoundTrip <= this.bytes) return false;
    this.bytes *= 2;
    return true;
  }

  /** Servers do not take what comes: it does not grow any more. @returns whether the window is another one now */
  shrink(): boolean {
    const isLess = this.bytes > LEAST_WINDOW_BYTES;
    this.mayGrow = false;
    this.bytes = LEAST_WINDOW_BYTES;
    return isLess;
  }
}
