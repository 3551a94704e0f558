/** What may be fetched in vain in the time of one window. */
export interface UnclaimedLimits {
  readonly documents: number;
  /** Of bodies. */
  readonly bytes: number;
  readonly windowMs: number;
}

/** One fetch that nobody had asked for. */
export interface Spending {
  readonly isDocument: boolean;
  /** Of its body, that have come. */
  bytes: number;
  /** Of its body, that are to come in all as far as is known. */
  expectedBytes: number;
  /** When it was asked for, or its last bytes came. */
  atMs: number;
  /** Somebody has asked for it. */
  isClaimed: boolean;
}

/**
 * Bounds what is fetched for nobody: what is claimed counts no more, and what is not counts for the time of one window.
 * No clock: times are milliseconds of a monotonic one.
 */
export class UnclaimedBudget {
  private readonly limits: UnclaimedLimits;
  private readonly spendings = new Set<Spending>();

  constructor(limits: UnclaimedLimits) {
    this.limits = limits;
  }

  /** A fetch is to be made. @param expectedBytes of its body @returns null when it may not be */
  begin(isDocument: boolean, expectedBytes: number, nowMs: number): Spending | null {
    const { documents, bytes, expected } = this.unclaimed(nowMs);
    if (isDocument && documents >= this.limits.documents) return null;
    // a size that is only expected may be wrong, so it keeps nothing from the last byte that is left
    if (bytes >= this.limits.bytes || expected + (isDocument ? 0 : expectedBytes) > this.limits.bytes) return null;
    const spending: Spending = { isDocument, bytes: 0, expectedBytes, atMs: nowMs, isClaimed: false };
    this.spendings.add(spending);
    return spending;
  }

  /** The length of the body is known. @returns whether it may come */
  announced(spending: Spending, length: number, nowMs: number): boolean {
    spending.expectedBytes = length;
    return this.unclaimed(nowMs).bytes + length - spending.bytes <= this.limits.bytes;
  }

  /** So many more bytes of a body have come. @returns whether more may */
  received(spending: Spending, bytes: number, nowMs: number): boolean {
    spending.bytes += bytes;
    spending.atMs = nowMs;
    // after a silence longer than the window it counts again
    if (!spending.isClaimed) this.spendings.add(spending);
    return this.unclaimed(nowMs).bytes <= this.limits.bytes;
  }

  /** Somebody has asked for it: it was not in vain. */
  claimed(spending: Spending): void {
    spending.isClaimed = true;
    this.spendings.delete(spending);
  }

  /** What nobody has claimed in the window that ends now; `expected` counts what is still to come, too. */
  unclaimed(nowMs: number): { readonly documents: number; readonly bytes: number; readonly expected: number } {
    let [documents, bytes, expected] = [0, 0, 0];
    for (const spending of this.spendings) {
      if (spending.atMs + this.limits.windowMs <= nowMs) this.spendings.delete(spending);
      else {
        documents += spending.isDocument ? 1 : 0;
        bytes += spending.bytes;
        expected += Math.max(spending.bytes, spending.expectedBytes);
      }
    }
    return { documents, bytes, expected };
  }

  /** It brings no more: what it was expected to bring counts no more. */
  ended(spending: Spending): void {
    spending.expectedBytes = spending.bytes;
  }
}
