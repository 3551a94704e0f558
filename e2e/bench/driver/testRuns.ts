import type { Counters } from './transfers/plan.ts';
import type { Transfer } from './transfers/transfer.ts';

/** Counters of a driver that did only what a test says. */
export function counters(rar: Partial<Counters['rar']>): Counters {
  return {
    programs: { retransmitted: 0 },
    rar: { messages: 0, copies: 0, copyBytes: 0, linkBusy: 0, notPaying: 0, duplicates: 0, ...rar },
  };
}

const DIRECTION = { packets: 500, bytes: 50_000, dropsQueue: 0, dropsLoss: 0 };

/** A link that was offered 1,000 packets in 100,000 bytes, with no driver at its ends. */
export const NOTHING_CARRIED: Transfer = { flows: [], link: { up: DIRECTION, down: DIRECTION, lateness: { p99Us: 0 } }, near: null, far: null };
