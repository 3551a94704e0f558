/**
 * So much may be on the way on a connection to begin with: two and a half bandwidth-delay products of a 3G link, as a
 * window that is opened again by halves carries two thirds of its size a round trip. A sender without a limit finds out
 * how much a link takes by sending too much (slow start): what stands in the queue of the access link then keeps back all
 * that is asked for meanwhile, and what is dropped there comes a time-out later.
 */
export const FIRST_WINDOW_BYTES = 80_000;
/** Which never grows: no limit of any link. */
export const MAX_WINDOW_BYTES = 16 * 1024 * 1024;
/** What comes in so many round trips has stood in no long queue; radio links vary by as much. */
const QUIET_RTTS = 2;
/** A handshake that takes up to so many round trips of the link has met a queue, and no farther server. */
const QUEUED_RTTS = 2;

/** The round trip of a server, by its handshake, without what stood in the link's queue meanwhile; milliseconds. */
export function withoutQueue(handshakeMs: number, linkRttMs: number): number {
  return handshakeMs > QUEUED_RTTS * linkRttMs ? handshakeMs : Math.min(handshakeMs, linkRttMs);
}

/**
 * How much a server may have on the way on one connection over HTTP/2: twice as much whenever a whole window has come
 * within two round trips, so that a fast link is filled nearly as soon as by slow start, and a slow one's queue stays
 * short (the receiver's part of min(rwnd, B x RTT), A3, section 3.2).
 */
export class ReceiveWindow {
  bytes: number;
  private readonly rttMs: number;
  /** What has come lately. */
  private readonly pieces: { readonly atMs: number; readonly bytes: number }[] = [];
  private recentBytes = 0;

  /**
   * @param rttMs of the connection's handshake
   * @param firstBytes its size to begin with
   */
  constructor(rttMs: number, firstBytes = FIRST_WINDOW_BYTES) {
    this.rttMs = rttMs;
    this.bytes = firstBytes;
  }

  /** @returns whether the window is larger now */
  received(bytes: number, nowMs: number): boolean {
    if (this.bytes >= MAX_WINDOW_BYTES) return false;
    this.pieces.push({ atMs: nowMs, bytes });
    this.recentBytes += bytes;
    while ((this.pieces[0]?.atMs ?? nowMs) < nowMs - QUIET_RTTS * this.rttMs) this.recentBytes -= this.pieces.shift()?.bytes ?? 0;
    if (this.recentBytes < this.bytes) return false;
    this.bytes = Math.min(MAX_WINDOW_BYTES, 2 * this.bytes);
    this.pieces.length = 0;
    this.recentBytes = 0;
    return true;
  }
}
