import { loadavg } from 'node:os';
import { analyse, type AnsweredRequest, type LoadMetrics } from '../analysis/analyse.ts';
import type { ShownObject } from '../analysis/isrt.ts';
import { decodeFrames } from '../metrics/decode.ts';
import { LoadFailure, type FailureCode } from '../metrics/failure.ts';
import { monotonicMs } from '../metrics/wallClock.ts';
import { writeArtifacts } from './artifactFiles.ts';
import { writeFilm } from './film.ts';
import { latenessLimitMs } from './lateness.ts';
import type { LoadIdentity } from './loadIdentity.ts';
import type { Load } from './results.ts';
import { setupOf } from './schemes.ts';
import { visitPage, type LoadContext, type Visit } from './visit.ts';

export interface LoadOutcome {
  readonly load: Load;
  readonly answered: readonly AnsweredRequest[];
  /** In-view images that neither came nor were refused, with their queries. */
  readonly missing: readonly string[];
  readonly screenshot: Buffer | null;
}

const LAST_NEEDED = 5;

/** One load in a fresh profile, measured. Never rejects for what the page or the browser does: that is a failed load. */
export async function loadOnce(context: LoadContext, identity: LoadIdentity): Promise<LoadOutcome> {
  const startedMs = monotonicMs();
  try {
    const visit = await visitPage(context, setupOf(identity.scheme));
    const { artifacts } = visit;
    const frames = await decodeFrames(artifacts.frames);
    const [first] = frames;
    if (!first) throw new LoadFailure('NO_PICTURE', 'the browser drew no frame');
    const metrics = analyse(artifacts, frames, first.width / context.plan.viewport.width);
    if (metrics.needed.length === 0) throw new LoadFailure('NAVIGATION', 'no document arrived');
    const film = await writeFilm(context.plan.outDir, identity, frames);
    await writeArtifacts(context.plan.outDir, identity, visit, metrics);
    const maxLateMs = latenessLimitMs(context.rttMs, context.plan.maxLateMs);
    const load = measuredLoad(identity, metrics, visit, film, maxLateMs, monotonicMs() - startedMs);
    return { load, answered: metrics.answered, missing: metrics.missing, screenshot: load.failed === null ? artifacts.screenshot : null };
  } catch (error) {
    const code = error instanceof LoadFailure ? error.code : 'BROWSER';
    const message = error instanceof Error ? error.message : String(error);
    return { load: failedLoad(identity, code, message, monotonicMs() - startedMs), answered: [], missing: [], screenshot: null };
  }
}

function measuredLoad(identity: LoadIdentity, metrics: LoadMetrics, { artifacts, processorMs }: Visit, frames: Load['frames'], maxLateMs: number, elapsedMs: number): Load {
  const lateUs = artifacts.link.lateness.p99Us;
  const late = lateUs > maxLateMs * 1000;
  const lastNeeded = metrics.needed.slice(0, LAST_NEEDED).map(withoutQuery);
  return {
    ...emptyLoad(identity, elapsedMs),
    isrtMs: metrics.isrtMs,
    isrtArrivalMs: metrics.isrtArrivalMs,
    neededMs: metrics.neededMs,
    wasteMs: metrics.wasteMs,
    idleMs: metrics.idleMs,
    visuallyCompleteMs: metrics.visuallyCompleteMs,
    speedIndexMs: metrics.speedIndexMs,
    area95Ms: metrics.area95Ms,
    lowerBoundMs: metrics.lowerBoundMs,
    allObjectsMs: metrics.allObjectsMs,
    bytes: metrics.bytes,
    bodyBytes: metrics.bodyBytes,
    firstScreenBytes: metrics.firstScreenBytes,
    requests: metrics.requests,
    critical: lastNeeded[0] ?? null,
    lastNeeded,
    neededObjects: metrics.needed.length,
    unsettledObjects: metrics.needed.filter(({ settled }) => !settled).length,
    missing: metrics.missing.map((url) => url.split('?', 1)[0] ?? url),
    helperCpuMs: processorMs.helperMs,
    extensionCpuMs: processorMs.extensionMs,
    linkLatenessP99Us: lateUs,
    dropsQueue: artifacts.link.down.dropsQueue,
    failed: late ? 'LINK_LATE' : null,
    failure: late ? `the link was late by ${lateUs} µs (p99)` : null,
    frames,
  };
}

function failedLoad(identity: LoadIdentity, failed: FailureCode, failure: string, elapsedMs: number): Load {
  return { ...emptyLoad(identity, elapsedMs), failed, failure };
}

function emptyLoad({ page, run, attempt, scheme }: LoadIdentity, elapsedMs: number): Load {
  return {
    page, scheme: scheme.label, run, attempt,
    isrtMs: null, isrtArrivalMs: null, neededMs: null, wasteMs: null, idleMs: null, visuallyCompleteMs: null, speedIndexMs: null, area95Ms: null, lowerBoundMs: null, allObjectsMs: null,
    bytes: null, bodyBytes: null, firstScreenBytes: null, requests: null,
    objectsLost: null, objectsFetchedTwice: null, lost: [], fetchedTwice: [], pictureDifference: null,
    failed: null, failure: null, critical: null, lastNeeded: [], neededObjects: null, unsettledObjects: null, missing: [],
    helperCpuMs: null, extensionCpuMs: null, linkLatenessP99Us: null, dropsQueue: null, loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100, elapsedMs, frames: [],
  };
}

/** Query strings of recorded pages hold what identified their visitors. */
function withoutQuery({ url, kind, arrivalMs, paintMs, bytes, settled }: ShownObject): Load['lastNeeded'][number] {
  return { url: url.split('?', 1)[0] ?? url, kind, arrivalMs, paintMs, bytes, settled };
}
