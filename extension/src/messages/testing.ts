import type { TabStatus } from './status.ts';

/** For tests: a browser with a gate, a helper that can do all and carries nothing, a page of which nothing was held. */
export const STATUS: TabStatus = {
  held: 0, released: 0, inView: 0, left: 0, isWithout: false, isComparing: false, isAnsweredByWorker: false, hasGate: true, isLinkFast: false,
  link: { rateBitsPerSecond: 1_600_000, isRateMeasured: false, rttMs: 150, isRttMeasured: false },
  helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: 'browser', relay: 'none', trust: 'unknown', driver: null,
};
