import { setTimeout as sleep } from 'node:timers/promises';
import { Arrivals } from '../analysis/arrival.ts';
import type { Artifacts, FrameInView } from './artifacts.ts';
import { LoadFailure } from './failure.ts';
import type { MeasuredPage } from './measuredPage.ts';
import { judgeLoad, requiredIdleMs } from './quiescence.ts';
import type { HostingControl, LinkControl } from './testbed.ts';
import { monotonicMs, sampleClocks, wallToMonotonic } from './wallClock.ts';

const STATE_POLL_MS = 250;
/** The browser's own traffic at start (if any gets through) has to be over before the navigation. */
const QUIET_BEFORE_MS = 200;
const QUIET_BEFORE_LIMIT_MS = 2_000;
const QUIET_POLL_MS = 50;
const READY_STATE_LIMIT_MS = 2_000;

export interface LoadTask {
  readonly entryUrl: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly rttMs: number;
  /** The link loses packets. */
  readonly isLossy: boolean;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Loads one page in a fresh browser and keeps everything the analysis needs.
 * Knows nothing of extensions: the same for every scheme. Rejects with LoadFailure.
 */
export async function gather(page: MeasuredPage, link: LinkControl, hosting: HostingControl, task: LoadTask): Promise<Artifacts> {
  const seen = { error: '' };
  await page.record(task.viewport);
  await linkQuiet(link);
  await hosting.reset();
  await link.reset();

  const before = sampleClocks();
  const startedMs = monotonicMs();
  page.navigate(task.entryUrl).catch((error: unknown) => (seen.error = String(error)));
  for (;;) {
    await sleep(STATE_POLL_MS);
    task.signal.throwIfAborted();
    if (page.hasCrashed) throw new LoadFailure('CRASH', 'the page crashed');
    if (seen.error) throw new LoadFailure('NAVIGATION', `${task.entryUrl}: ${seen.error}`);
    const verdict = await judge(page, link, hosting, task, monotonicMs() - startedMs);
    if (verdict === 'complete') break;
    if (verdict === 'timeout') throw new LoadFailure('TIMEOUT', `not at rest after ${Math.round(task.timeoutMs / 1000)} s`);
  }

  const { layout, frames, browserRequests, redirects, screenshot } = await page.finish(task.viewport);
  const after = sampleClocks();
  const toMonotonic = (wallMs: number) => wallToMonotonic(before, after, wallMs);
  const navigationStartMs = toMonotonic(mainDocument(layout).timeOriginMs);
  return {
    navigationStartMs,
    frames: frames.map(({ wallMs, jpeg }) => ({ atMs: toMonotonic(wallMs) - navigationStartMs, jpeg })),
    isSampled: page.isSampled,
    layout,
    domContentLoadedMs: new Map(
      layout.flatMap(({ frameId, domContentLoadedMs }) => (domContentLoadedMs === null ? [] : [[frameId, toMonotonic(domContentLoadedMs)]])),
    ),
    browserRequests,
    redirects,
    served: await hosting.log(),
    flows: await link.flows(),
    link: await link.report(),
    screenshot,
  };
}

async function judge(page: MeasuredPage, link: LinkControl, hosting: HostingControl, task: LoadTask, elapsedMs: number) {
  const idleMs = requiredIdleMs(task.rttMs, task.isLossy);
  const linkIdleMs = await link.idleMs();
  // The browser and the log are asked only when the link says that it may be over: both cost the load processor time.
  if (linkIdleMs < idleMs) return judgeLoad({ elapsedMs, parsed: false, openResponses: 0, undeliveredResponses: 0, linkIdleMs }, idleMs, task.timeoutMs);
  const served = await hosting.log();
  const whole = served.filter(({ aborted }) => !aborted);
  const openResponses = whole.filter(({ endNs }) => endNs === null).length;
  const arrivals = new Arrivals(await link.flows());
  const undeliveredResponses = whole.filter((response) => response.endNs !== null && arrivals.of(response) === null).length;
  const parsed = served.length > 0 && (await isParsed(page));
  return judgeLoad({ elapsedMs, parsed, openResponses, undeliveredResponses, linkIdleMs }, idleMs, task.timeoutMs);
}

/** A document whose scripts never return is as good as loading. */
async function isParsed(page: MeasuredPage): Promise<boolean> {
  return await Promise.race([page.isParsed().catch(() => false), sleep(READY_STATE_LIMIT_MS, false, { ref: false })]);
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
