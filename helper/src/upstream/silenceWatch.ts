/** A server that works on an answer may be silent for so long; then it is asked whether it is there. */
const SILENT_MS = 10_000;
/**
 * A queue before the bottleneck of a slow link holds an answer up for seconds; Chromium waits as long
 * (kHttp2PingTimeout).
 */
const ANSWER_MS = 15_000;

/** Whether a server is still there on whose connection requests wait. No I/O and no clock. */
export class SilenceWatch {
  private movedBytes = -1;
  private sinceMs = 0;
  private askedMs: number | null = null;

  /** @returns `ask` once in a silence; `dead` when nothing has moved since */
  observe(movedBytes: number, isBusy: boolean, nowMs: number): 'fine' | 'ask' | 'dead' {
    if (!isBusy || movedBytes !== this.movedBytes) {
      this.movedBytes = movedBytes;
      this.sinceMs = nowMs;
      this.askedMs = null;
      return 'fine';
    }
    if (this.askedMs !== null) return nowMs - this.askedMs >= ANSWER_MS ? 'dead' : 'fine';
    if (nowMs - this.sinceMs < SILENT_MS) return 'fine';
    this.askedMs = nowMs;
    return 'ask';
  }
}
