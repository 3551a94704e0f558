import { loadavg } from 'node:os';
import * as v from 'valibot';
import { analyse, answeredRequests, type AnsweredRequest, type LoadMetrics } from '../analysis/analyse.ts';
import { totalOf } from '../analysis/total.ts';
import { decodeFrames } from '../metrics/decode.ts';
import { LoadFailure } from '../metrics/failure.ts';
import { monotonicMs } from '../metrics/wallClock.ts';
import { writeArtifacts } from './artifactFiles.ts';
import { writeFilm } from './film.ts';
import { urlOf } from './journey.ts';
import { latenessLimitMs } from './lateness.ts';
import type { LoadIdentity } from './loadIdentity.ts';
import { Step, type Load } from './results.ts';
import { setupOf } from './schemes.ts';
import { withoutQuery } from './withoutQuery.ts';
import { visitPage, type LoadContext, type Visit } from './visit.ts';

export interface LoadOutcome {
  readonly load: Load;
  readonly answered: readonly AnsweredRequest[];
  /** In-view images that neither came nor were refused, with their queries. */
  readonly missing: readonly string[];
  /** One for each page; none of a load that failed. */
  readonly screenshots: readonly Buffer[];
}

const LAST_NEEDED = 5;

interface MeasuredPages {
  readonly metrics: readonly LoadMetrics[];
  readonly film: Load['frames'];
}

/** One load in a fresh profile, measured. Never rejects for what the page or the browser does: that is a failed load. */
export async function loadOnce(context: LoadContext, identity: LoadIdentity): Promise<LoadOutcome> {
  const startedMs = monotonicMs();
  try {
    const visit = await visitPage(context, setupOf(identity.scheme));
    const pages = await measurePages(context, identity, visit);
    const total = totalOf(pages.metrics);
    const maxLateMs = latenessLimitMs(context.rttMs, context.plan.maxLateMs);
    const load = { ...measuredLoad(identity, total, visit, pages.film, maxLateMs, monotonicMs() - startedMs), steps: stepsOf(visit, pages.metrics) };
    // What a browser has from its earlier loads it has not lost, and what it fetches anew it has twice.
    const answered = [...visit.before.flatMap(answeredRequests), ...total.answered];
    return { load, answered, missing: total.missing, screenshots: load.failed === null ? visit.pages.map(({ screenshot }) => screenshot) : [] };
  } catch (error) {
    const code = error instanceof LoadFailure ? error.code : 'BROWSER';
    const message = error instanceof Error ? error.message : String(error);
    return { load: { ...emptyLoad(identity, monotonicMs() - startedMs), failed: code, failure: message }, answered: [], missing: [], screenshots: [] };
  }
}

/** Page by page, as decoded frames are large. The film of a journey has each page until its first screen. */
async function measurePages({ plan }: LoadContext, identity: LoadIdentity, visit: Visit): Promise<MeasuredPages> {
  const metrics: LoadMetrics[] = [];
  const film: Load['frames'] = [];
  let sinceMs = 0;
  for (const [step, artifacts] of visit.pages.entries()) {
    const frames = await decodeFrames(artifacts.frames);
    const [first] = frames;
    if (!first) throw new LoadFailure('NO_PICTURE', 'the browser drew no frame');
    const page = analyse(artifacts, frames, first.width / plan.viewport.width);
    if (page.needed.length === 0) throw new LoadFailure('NAVIGATION', 'no document arrived');
    metrics.push(page);
    const isLast = step === visit.pages.length - 1;
    const shown = await writeFilm(plan.outDir, identity, step, frames);
    film.push(...shown.filter(({ atMs }) => isLast || atMs <= page.isrtMs).map(({ atMs, file }) => ({ atMs: sinceMs + atMs, file })));
    sinceMs += page.isrtMs;
    await writeArtifacts(plan.outDir, identity, step, visit, page);
  }
  return { metrics, film };
}

function stepsOf({ pages }: Visit, metrics: readonly LoadMetrics[]): Load['steps'] {
  if (pages.length === 1) return [];
  return pages.flatMap((artifacts, step) => {
    const page = metrics[step];
    if (page === undefined) return [];
    return [v.parse(Step, { ...page, url: withoutQuery(urlOf(artifacts)) })];
  });
}

function measuredLoad(identity: LoadIdentity, { needed, missing, answered: _, ...numbers }: LoadMetrics, { pages, processorMs }: Visit, frames: Load['frames'], maxLateMs: number, elapsedMs: number): Load {
  // Of a journey's pages the last one's report is of all of them.
  const { lateness, down } = (pages.at(-1) ?? pages[0]).link;
  const lateUs = lateness.p99Us;
  const late = lateUs > maxLateMs * 1000;
  const lastNeeded = needed.slice(0, LAST_NEEDED).map(({ url, kind, arrivalMs, paintMs, bytes, settled }) => ({ url: withoutQuery(url), kind, arrivalMs, paintMs, bytes, settled }));
  return {
    ...emptyLoad(identity, elapsedMs),
    ...numbers,
    critical: lastNeeded[0] ?? null,
    lastNeeded,
    neededObjects: needed.length,
    unsettledObjects: needed.filter(({ settled }) => !settled).length,
    missing: missing.map(withoutQuery),
    helperCpuMs: processorMs.helperMs,
    extensionCpuMs: processorMs.extensionMs,
    linkLatenessP99Us: lateUs,
    dropsQueue: down.dropsQueue,
    failed: late ? 'LINK_LATE' : null,
    failure: late ? `the link was late by ${lateUs} µs (p99)` : null,
    frames,
  };
}

function emptyLoad({ page, run, attempt, scheme }: LoadIdentity, elapsedMs: number): Load {
  return {
    page, scheme: scheme.label, run, attempt,
    isrtMs: null, isrtArrivalMs: null, neededMs: null, wasteMs: null, idleMs: null, visuallyCompleteMs: null, speedIndexMs: null, area95Ms: null, lowerBoundMs: null, allObjectsMs: null,
    bytes: null, bodyBytes: null, firstScreenBytes: null, requests: null, requestsRelayed: null,
    objectsLost: null, objectsFetchedTwice: null, lost: [], fetchedTwice: [], pictureDifference: null,
    failed: null, failure: null, critical: null, lastNeeded: [], neededObjects: null, unsettledObjects: null, missing: [],
    helperCpuMs: null, extensionCpuMs: null, linkLatenessP99Us: null, dropsQueue: null, loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100, elapsedMs, frames: [], steps: [],
  };
}
