import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchChromium, type RunningBrowser } from '../browsers/chromium.ts';
import { copyInstalledExtension, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { changeSettings, connectionsReady, copyHelperManifest, extensionReady, trustsHelper } from '../browsers/extension.ts';
import { analyse, type AnsweredRequest, type LoadMetrics } from '../analysis/analyse.ts';
import type { ShownObject } from '../analysis/isrt.ts';
import type { Artifacts } from '../metrics/artifacts.ts';
import { decodeFrames } from '../metrics/decode.ts';
import { LoadFailure, type FailureCode } from '../metrics/failure.ts';
import { gather } from '../metrics/gather.ts';
import type { HostingControl, LinkControl } from '../metrics/testbed.ts';
import { monotonicMs } from '../metrics/wallClock.ts';
import { writeArtifacts } from './artifactFiles.ts';
import { writeFilm } from './film.ts';
import { latenessLimitMs } from './lateness.ts';
import { RunningDriver, type Registration } from './driver/runningDriver.ts';
import type { LoadIdentity } from './loadIdentity.ts';
import type { Load } from './results.ts';
import { setupOf, type SchemeSetup } from './schemes.ts';
import type { WorkerPlan } from './workerMessages.ts';

export interface LoadContext {
  readonly plan: WorkerPlan;
  readonly link: LinkControl;
  readonly hosting: HostingControl;
  readonly signal: AbortSignal;
  readonly caSpki: string;
  /** The test authority, for the helper's own connections. */
  readonly caFile: string;
  readonly helperTemplateDir: string;
  /** Of browsers that trust the helper's certificates. */
  readonly trustEnvironment: Readonly<Record<string, string>> | null;
  /** For the schemes that install by policy. */
  readonly managed: ManagedBrowser | null;
  readonly entryUrl: string;
  readonly rttMs: number;
  readonly isLossy: boolean;
  readonly timeoutMs: number;
}

export interface LoadOutcome {
  readonly load: Load;
  readonly answered: readonly AnsweredRequest[];
  /** In-view images that neither came nor were refused, with their queries. */
  readonly missing: readonly string[];
  readonly screenshot: Buffer | null;
}

/** The browser has come to rest after its start: same for every scheme. */
const SETTLE_MS = 300;
const LAST_NEEDED = 5;
/** Of a browser that knows of no driver: pages, and names. */
const BROWSER_REGISTRATION: Registration = { remotePorts: [80, 443, 53], policy: ['rar'] };

/** One load in a fresh profile, measured. Never rejects for what the page or the browser does: that is a failed load. */
export async function loadOnce(context: LoadContext, identity: LoadIdentity): Promise<LoadOutcome> {
  const startedMs = monotonicMs();
  try {
    const artifacts = await gatherVisit(context, setupOf(identity.scheme.kind));
    const frames = await decodeFrames(artifacts.frames);
    const [first] = frames;
    if (!first) throw new LoadFailure('NO_PICTURE', 'the browser drew no frame');
    const metrics = analyse(artifacts, frames, first.width / context.plan.viewport.width);
    if (metrics.needed.length === 0) throw new LoadFailure('NAVIGATION', 'no document arrived');
    const film = await writeFilm(context.plan.outDir, identity, frames);
    await writeArtifacts(context.plan.outDir, identity, artifacts, metrics);
    const maxLateMs = latenessLimitMs(context.rttMs, context.plan.maxLateMs);
    const load = measuredLoad(identity, metrics, artifacts, film, maxLateMs, monotonicMs() - startedMs);
    return { load, answered: metrics.answered, missing: metrics.missing, screenshot: load.failed === null ? artifacts.screenshot : null };
  } catch (error) {
    const code = error instanceof LoadFailure ? error.code : 'BROWSER';
    const message = error instanceof Error ? error.message : String(error);
    return { load: failedLoad(identity, code, message, monotonicMs() - startedMs), answered: [], missing: [], screenshot: null };
  }
}

/** For a repeat visit another browser goes to the page first, with a cache of its own: what stays is the helper's memory. */
async function gatherVisit(context: LoadContext, setup: SchemeSetup): Promise<Artifacts> {
  const stateDir = await mkdtemp(join(context.plan.temporaryDir, 'state-'));
  try {
    if (setup.isRepeatVisit) await gatherInFreshBrowser(context, setup, stateDir);
    return await gatherInFreshBrowser(context, setup, stateDir);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** @param stateDir where the helper keeps its memory and its spools */
async function gatherInFreshBrowser(context: LoadContext, setup: SchemeSetup, stateDir: string): Promise<Artifacts> {
  const { plan } = context;
  const userDataDir = await mkdtemp(join(plan.temporaryDir, 'profile-'));
  let running: RunningBrowser | undefined;
  let driver: RunningDriver | undefined;
  try {
    if (setup.driver !== null) driver = await RunningDriver.start(plan.driver, [BROWSER_REGISTRATION]);
    const managed = setup.extension === 'managed' ? context.managed : null;
    if (setup.hasHelper) await copyHelperManifest(context.helperTemplateDir, userDataDir);
    if (managed) await copyInstalledExtension(managed, userDataDir);
    running = await launchChromium(managed?.executable ?? plan.chromium, {
      userDataDir,
      viewport: plan.viewport,
      caSpki: context.caSpki,
      headed: plan.headed,
      asRoot: process.getuid?.() === 0,
      extension: setup.extension === null ? null : managed ? 'managed' : { unpacked: plan.extensionDir },
      environment: { XDG_STATE_HOME: stateDir, XDG_CACHE_HOME: stateDir, NODE_EXTRA_CA_CERTS: context.caFile, ...(setup.intercepts && context.trustEnvironment), ...(driver && { FIRSTSCREEN_DRIVER_SOCKET: driver.socket }) },
    });
    if (setup.extension !== null && !(await extensionReady(running.browser))) throw new LoadFailure('EXTENSION', 'the extension did not get ready');
    if (setup.isRepeatVisit || setup.connections !== null) await changeSettings(running.browser, { remember: setup.isRepeatVisit, connections: setup.connections });
    if (setup.connections !== null && !(await connectionsReady(running.browser))) throw new LoadFailure('EXTENSION', 'the browser does not go by the helper');
    if (setup.intercepts && !(await trustsHelper(running.browser))) throw new LoadFailure('EXTENSION', 'the browser does not trust the helper');
    await sleep(SETTLE_MS);
    return await gather(running, context.link, context.hosting, {
      entryUrl: context.entryUrl,
      viewport: plan.viewport,
      rttMs: context.rttMs,
      isLossy: context.isLossy,
      timeoutMs: context.timeoutMs,
      signal: context.signal,
    });
  } finally {
    await running?.close();
    await driver?.stop();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function measuredLoad(identity: LoadIdentity, metrics: LoadMetrics, artifacts: Artifacts, frames: Load['frames'], maxLateMs: number, elapsedMs: number): Load {
  const lateUs = artifacts.link.lateness.p99Us;
  const late = lateUs > maxLateMs * 1000;
  const lastNeeded = metrics.needed.slice(0, LAST_NEEDED).map(withoutQuery);
  return {
    ...emptyLoad(identity, elapsedMs),
    isrtMs: metrics.isrtMs,
    isrtArrivalMs: metrics.isrtArrivalMs,
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
    isrtMs: null, isrtArrivalMs: null, visuallyCompleteMs: null, speedIndexMs: null, area95Ms: null, lowerBoundMs: null, allObjectsMs: null,
    bytes: null, bodyBytes: null, firstScreenBytes: null, requests: null,
    objectsLost: null, objectsFetchedTwice: null, lost: [], fetchedTwice: [], pictureDifference: null,
    failed: null, failure: null, critical: null, lastNeeded: [], neededObjects: null, unsettledObjects: null, missing: [],
    linkLatenessP99Us: null, dropsQueue: null, loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100, elapsedMs, frames: [],
  };
}

/** Query strings of recorded pages hold what identified their visitors. */
function withoutQuery({ url, kind, arrivalMs, paintMs, bytes, settled }: ShownObject): Load['lastNeeded'][number] {
  return { url: url.split('?', 1)[0] ?? url, kind, arrivalMs, paintMs, bytes, settled };
}
