import { setTimeout as sleep } from 'node:timers/promises';
import { Arrivals } from '../analysis/arrival.ts';
import { ResponseIndex } from '../analysis/responses.ts';
import { isRelayed } from '../analysis/ways.ts';
import type { Artifacts, Earlier, FrameInView } from './artifacts.ts';
import type { PageLink } from './collectLinks.ts';
import { LoadFailure } from './failure.ts';
import type { MeasuredPage, RequestStates } from './measuredPage.ts';
import { pointAt, press } from './pointer.ts';
import { judgeLoad, requiredIdleMs } from './quiescence.ts';
import type { HostingControl, LinkControl, ServedRequest } from './testbed.ts';
import { monotonicMs, sampleClocks, wallToMonotonic } from './wallClock.ts';

const STATE_POLL_MS = 250;
/** The browser's own traffic at start (if any gets through) has to be over before the navigation. */
const QUIET_BEFORE_MS = 200;
const QUIET_BEFORE_LIMIT_MS = 2_000;
const QUIET_POLL_MS = 50;
const READY_STATE_LIMIT_MS = 2_000;
/** The end, and the answer to it. */
const CLOSING_RTTS = 2;

/** Names a document: two of them have never begun at the same moment. */
const DOCUMENT = 'performance.timeOrigin';

export interface LoadTask {
  readonly entryUrl: string;
  /** A link of the page that is shown, which is pressed: a step of a journey, on the connections of the one before. Null: by the entry's address. */
  readonly link: PageLink | null;
  /** Loads of this browser before this one. */
  readonly earlier: readonly Artifacts[];
  readonly viewport: { readonly width: number; readonly height: number };
  readonly rttMs: number;
  /** The link loses packets. */
  readonly isLossy: boolean;
  /** A relay stands behind the link: connections to it are kept, which alone makes packets. */
  readonly hasRelay: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Loads one page and keeps everything the analysis needs. By its address, the connections and records of earlier loads are ended first.
 * Knows nothing of extensions: the same for every scheme. Rejects with LoadFailure.
 */
export async function gather(page: MeasuredPage, link: LinkControl, hosting: HostingControl, task: LoadTask): Promise<Artifacts> {
  const seen = { error: '' };
  await page.record(task.viewport);
  if (task.link === null) {
    await linkQuiet(link);
    await hosting.reset();
    // An end of a connection that is still on its way would meet the first request. The browser may have been to the site before, of which
    // nothing is told here (a visit again, a second page).
    await sleep(CLOSING_RTTS * task.rttMs);
    await link.reset();
  }
  const former = await page.evaluate(DOCUMENT);
  // last: what takes time between rest and press is time in which the next page can be prepared
  if (task.link !== null) await pointAt(page.pointer, task.link);

  const before = sampleClocks();
  const startedMs = monotonicMs();
  const entered = task.link === null ? page.navigate(task.entryUrl) : press(page.pointer);
  entered.catch((error: unknown) => (seen.error = String(error)));
  for (;;) {
    await sleep(STATE_POLL_MS);
    task.signal.throwIfAborted();
    if (page.hasCrashed) throw new LoadFailure('CRASH', 'the page crashed');
    if (seen.error) throw new LoadFailure('NAVIGATION', `${task.link?.url ?? task.entryUrl}: ${seen.error}`);
    const verdict = await judge({ page, link, hosting, task, former }, monotonicMs() - startedMs);
    if (verdict === 'complete') break;
    if (verdict === 'timeout') throw new LoadFailure('TIMEOUT', `not at rest after ${Math.round(task.timeoutMs / 1000)} s`);
  }

  const { layout, frames, browserRequests, redirects, screenshot } = await page.finish(task.viewport);
  const { served, names } = await hosting.logs();
  const after = sampleClocks();
  const toMonotonic = (wallMs: number) => wallToMonotonic(before, after, wallMs);
  const navigationStartMs = toMonotonic(mainDocument(layout).timeOriginMs);
  return {
    navigationStartMs,
    earlier: earlierOf(task),
    frames: frames.map(({ wallMs, jpeg }) => ({ atMs: toMonotonic(wallMs) - navigationStartMs, jpeg })),
    isSampled: page.isSampled,
    layout,
    domContentLoadedMs: new Map(
      layout.flatMap(({ frameId, domContentLoadedMs }) => (domContentLoadedMs === null ? [] : [[frameId, toMonotonic(domContentLoadedMs)]])),
    ),
    browserRequests,
    requestEnds: page.requestStates().ended,
    redirects,
    served: served.slice(continues(task) ? task.earlier.flatMap((load) => load.served).length : 0),
    names,
    flows: await link.flows(),
    link: await link.report(),
    screenshot,
  };
}

interface RunningLoad {
  readonly page: MeasuredPage;
  readonly link: LinkControl;
  readonly hosting: HostingControl;
  readonly task: LoadTask;
  /** The document that was shown before. */
  readonly former: unknown;
}

async function judge({ page, link, hosting, task, former }: RunningLoad, elapsedMs: number) {
  const idleMs = requiredIdleMs(task.rttMs, task.isLossy);
  // What a cache answers leaves the link as idle as it was before.
  const linkIdleMs = Math.min(await (task.hasRelay ? link.dataIdleMs() : link.idleMs()), elapsedMs);
  // The browser and the log are asked only when the link says that it may be over: both cost the load processor time.
  if (linkIdleMs < idleMs) return judgeLoad({ elapsedMs, parsed: false, openResponses: 0, undeliveredResponses: 0, linkIdleMs }, idleMs, task.timeoutMs);
  const served = await hosting.log();
  const whole = served.filter(({ aborted }) => !aborted);
  const openResponses = whole.filter(({ endNs }) => endNs === null).length;
  const arrivals = new Arrivals(await link.flows());
  const states = page.requestStates();
  const undeliveredResponses = whole.filter((response) => response.endNs !== null && isUndelivered(response, arrivals, states)).length;
  const parsed = (served.length > 0 || task.earlier.length > 0) && (await isParsed(page, former));
  return judgeLoad({ elapsedMs, parsed, openResponses, undeliveredResponses, linkIdleMs }, idleMs, task.timeoutMs);
}

/** What a relay has asked for ahead and the browser never does is not waited for. */
function isUndelivered(response: ServedRequest, arrivals: Arrivals, { open }: RequestStates): boolean {
  return isRelayed(response) ? open.has(response.url) : arrivals.of(response) === null;
}

/** A document whose scripts never return is as good as loading. */
async function isParsed(page: MeasuredPage, former: unknown): Promise<boolean> {
  const parsed = page.evaluate(`${DOCUMENT} !== ${String(former)} && document.readyState !== 'loading'`);
  return await Promise.race([parsed.then((value) => value === true).catch(() => false), sleep(READY_STATE_LIMIT_MS, false, { ref: false })]);
}

/** On the connections and in the records of the load before. */
function continues({ link }: LoadTask): boolean {
  return link !== null;
}

function earlierOf(task: LoadTask): Earlier {
  const last = task.earlier.at(-1);
  if (last === undefined) return { kept: new Set(), deliveredBytes: 0 };
  return { kept: new Set(new ResponseIndex(last, new Arrivals(last.flows, last.requestEnds)).arrived()), deliveredBytes: continues(task) ? last.link.down.deliveredBytes : 0 };
}

async function linkQuiet(link: LinkControl): Promise<void> {
  const deadline = monotonicMs() + QUIET_BEFORE_LIMIT_MS;
  while (monotonicMs() < deadline && (await link.idleMs()) < QUIET_BEFORE_MS) await sleep(QUIET_POLL_MS);
}

function mainDocument(layout: readonly FrameInView[]): FrameInView {
  const [main] = layout;
  if (!main) throw new LoadFailure('NAVIGATION', 'the browser shows no document');
  return main;
}
