export interface TimeoutInput {
  readonly bytes: number;
  readonly rateBitsPerSecond: number;
  readonly rttMs: number;
}

const MIN_TIMEOUT_MS = 60_000;
/** A load that takes three times as long as its bytes at line rate, and a hundred round trips more, will not end. */
const RATE_SLACK = 3;
const SLACK_RTTS = 100;

/** The time limit of one load of a page. */
export function loadTimeoutMs({ bytes, rateBitsPerSecond, rttMs }: TimeoutInput): number {
  return Math.max(MIN_TIMEOUT_MS, (RATE_SLACK * bytes * 8 * 1000) / rateBitsPerSecond + SLACK_RTTS * rttMs);
}
