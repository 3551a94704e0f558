/** What is known about a running load. */
export interface LoadState {
  readonly elapsedMs: number;
  /** document.readyState of the main document is past 'loading'. */
  readonly parsed: boolean;
  readonly openResponses: number;
  /** The server has written them, and the link has not delivered them: they wait for a retransmission, or their connection was given up. */
  readonly undeliveredResponses: number;
  readonly linkIdleMs: number;
}

export type LoadVerdict = 'running' | 'complete' | 'timeout';

const MIN_IDLE_MS = 2_000;
const IDLE_RTTS = 6;
/** A retransmission timer that has doubled twice, with a full queue in its round trip, runs so long (RFC 6298). */
const RETRANSMISSION_IDLE_MS = 10_000;

/**
 * How long the link must be idle: long enough that a script's next round trip is not mistaken for the end; on a link that loses, nor the time-out of a first
 * segment or of a question for a name, of which no server knows.
 */
export function requiredIdleMs(rttMs: number, isLossy: boolean): number {
  return Math.max(isLossy ? RETRANSMISSION_IDLE_MS : MIN_IDLE_MS, IDLE_RTTS * rttMs);
}

/**
 * Whether a load is over: document parsed, no response open or undelivered, link idle for a while.
 * The window's load event is no part of it: holding schemes make it early.
 */
export function judgeLoad(state: LoadState, idleMs: number, timeoutMs: number): LoadVerdict {
  const isDelivered = state.undeliveredResponses === 0 || state.linkIdleMs >= RETRANSMISSION_IDLE_MS;
  if (state.parsed && state.openResponses === 0 && isDelivered && state.linkIdleMs >= idleMs) return 'complete';
  return state.elapsedMs >= timeoutMs ? 'timeout' : 'running';
}
