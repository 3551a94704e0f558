import { setTimeout as sleep } from 'node:timers/promises';
import { Arrivals } from '../analysis/arrival.ts';
import type { RunningBrowser } from '../browsers/chromium.ts';
import type { Artifacts, FrameInView } from './artifacts.ts';
import { LoadFailure } from './failure.ts';
import { collectLayout } from './layout.ts';
import { judgeLoad, requiredIdleMs } from './quiescence.ts';
import { RequestRecorder } from './requestRecorder.ts';
import { Screencast } from './screencast.ts';
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
export async function gather(running: RunningBrowser, link: LinkControl, hosting: HostingControl, task: LoadTask): Promise<Artifacts> {
  const { page } = running;
  const recorder = new RequestRecorder();
  const screencast = new Screencast(page);
  const seen = { crashed: false, error: '' };
  page.on('Inspector.targetCrashed', () => (seen.crashed = true));
  page.on('Page.javascriptDialogOpening', () => void page.send('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined));
  await page.send('Page.enable', {});
  await page.send('Emulation.setDeviceMetricsOverride', { ...task.viewport, deviceScaleFactor: 1, mobile: false });
  await recorder.watch(page);
  await screencast.start(task.viewport);
  await linkQuiet(link);
  await hosting.reset();
  await link.reset();

  const before = sampleClocks();
  const startedMs = monotonicMs();
  page
    .send('Page.navigate', { url: task.entryUrl })
    .then(({ errorText }) => (seen.error = errorText ?? ''))
    .catch((error: unknown) => (seen.error = String(error)));
  for (;;) {
    await sleep(STATE_POLL_MS);
    task.signal.throwIfAborted();
    if (seen.crashed) throw new LoadFailure('CRASH', 'the page crashed');
    if (seen.error) throw new LoadFailure('NAVIGATION', `${task.entryUrl}: ${seen.error}`);
    const verdict = await judge(page, link, hosting, task, monotonicMs() - startedMs);
    if (verdict === 'complete') break;
    if (verdict === 'timeout') throw new LoadFailure('TIMEOUT', `not at rest after ${Math.round(task.timeoutMs / 1000)} s`);
  }

  const layout = await collectLayout(page, recorder.remoteFrames, task.viewport);
  const rawFrames = await screencast.stop();
  const { data } = await page.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  const after = sampleClocks();
  const toMonotonic = (wallMs: number) => wallToMonotonic(before, after, wallMs);
  const navigationStartMs = toMonotonic(mainDocument(layout).timeOriginMs);
  return {
    navigationStartMs,
    frames: rawFrames.map(({ wallMs, jpeg }) => ({ atMs: toMonotonic(wallMs) - navigationStartMs, jpeg })),
    layout,
    domContentLoadedMs: new Map(
      layout.flatMap(({ frameId, domContentLoadedMs }) => (domContentLoadedMs === null ? [] : [[frameId, toMonotonic(domContentLoadedMs)]])),
    ),
    browserRequests: recorder.requests,
    redirects: recorder.redirects,
    served: await hosting.log(),
    flows: await link.flows(),
    link: await link.report(),
    screenshot: Buffer.from(data, 'base64'),
  };
}

async function judge(page: RunningBrowser['page'], link: LinkControl, hosting: HostingControl, task: LoadTask, elapsedMs: number) {
  const idleMs = requiredIdleMs(task.rttMs, task.isLossy);
  const linkIdleMs = await link.idleMs();
  // The browser and the log are asked only when the link says that it may be over: both cost the load processor time.
  if (linkIdleMs < idleMs) return judgeLoad({ elapsedMs, parsed: false, openResponses: 0, undeliveredResponses: 0, linkIdleMs }, idleMs, task.timeoutMs);
  const served = await hosting.log();
  const whole = served.filter(({ aborted }) => !aborted);
  const openResponses = whole.filter(({ endNs }) => endNs === null).length;
  const arrivals = new Arrivals(await link.flows());
  const undeliveredResponses = whole.filter((response) => response.endNs !== null && arrivals.of(response) === null).length;
  const parsed = served.length > 0 && (await readyState(page)) !== 'loading';
  return judgeLoad({ elapsedMs, parsed, openResponses, undeliveredResponses, linkIdleMs }, idleMs, task.timeoutMs);
}

/** A document whose scripts never return is as good as loading. */
async function readyState(page: RunningBrowser['page']): Promise<unknown> {
  return await Promise.race([
    page.evaluate('document.readyState').catch(() => 'loading'),
    sleep(READY_STATE_LIMIT_MS, 'loading', { ref: false }),
  ]);
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
