import type { Load } from '../bench/results.ts';

/** A load made by hand, for tests. */
export function testLoad(page: string, scheme: string, run: number, isrtMs: number, extra: Partial<Load> = {}): Load {
  return {
    page, scheme, run, attempt: 1, isrtMs, isrtArrivalMs: isrtMs, neededMs: 0.5 * isrtMs, wasteMs: 0.2 * isrtMs, idleMs: 0.3 * isrtMs, visuallyCompleteMs: isrtMs, speedIndexMs: isrtMs / 2, area95Ms: isrtMs, lowerBoundMs: 300, allObjectsMs: 2 * isrtMs,
    bytes: 1_000, bodyBytes: 900, firstScreenBytes: 300, requests: 3, requestsRelayed: 0, objectsLost: 0, objectsFetchedTwice: 0, lost: [], fetchedTwice: [], pictureDifference: 0, failed: null, failure: null,
    critical: null, lastNeeded: [{ url: 'http://x.test/<script>alert(1)</script>', kind: 'image', arrivalMs: 1, paintMs: 2, bytes: 3, settled: true }], neededObjects: 1, unsettledObjects: 0, missing: [],
    helperCpuMs: scheme === 'conv' ? null : 400, extensionCpuMs: null, linkLatenessP99Us: 10, dropsQueue: 0, loadAverage: 1, elapsedMs: 5_000, frames: [{ atMs: 0, file: 'a.jpg' }, { atMs: isrtMs, file: 'b.jpg' }], steps: [], ...extra,
  };
}
