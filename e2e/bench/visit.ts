import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestEvent } from '../../shared/src/requests/requestEvent.ts';
import { launchChromium, type RunningChromium } from '../browsers/chromium.ts';
import { changeSettings, connectionsReady, copyHelperManifest, extensionReady, trustsHelper } from '../browsers/extension.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import { copyInstalledExtension, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import type { Artifacts } from '../metrics/artifacts.ts';
import { ChromiumPage } from '../metrics/chromiumPage.ts';
import { LoadFailure } from '../metrics/failure.ts';
import { FirefoxPage } from '../metrics/firefoxPage.ts';
import { gather } from '../metrics/gather.ts';
import type { MeasuredPage } from '../metrics/measuredPage.ts';
import type { HostingControl, LinkControl } from '../metrics/testbed.ts';
import { atRest } from './atRest.ts';
import { RunningDriver, type Registration } from './driver/runningDriver.ts';
import { processorTimes, type ProcessorTimes } from './processorTimes.ts';
import { readRecord } from './recordFile.ts';
import type { SchemeSetup } from './schemes.ts';
import type { WorkerPlan } from './workerMessages.ts';

export interface LoadContext {
  readonly plan: WorkerPlan;
  readonly link: LinkControl;
  readonly hosting: HostingControl;
  readonly signal: AbortSignal;
  readonly caSpki: string;
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

/** What a visit left behind, and what our processes spent on it. */
export interface Visit {
  readonly artifacts: Artifacts;
  readonly processorMs: Omit<ProcessorTimes, 'allMs'>;
  /** Of the helper's requests, in milliseconds after the navigation's start; null without a helper. */
  readonly record: readonly RequestEvent[] | null;
}

/** The extension judges a link anew when nothing was asked for in two seconds (payoff.ts). */
const BETWEEN_PAGES_MS = 3_000;

/** Of a browser that knows of no driver: pages, and names. */
const BROWSER_REGISTRATION: Registration = { remotePorts: [80, 443, 53], policy: ['rar'] };

/**
 * For a repeat visit another browser goes to the page first, with a cache of its own: what stays is the helper's
 * memory. Rejects with LoadFailure.
 */
export async function visitPage(context: LoadContext, setup: SchemeSetup): Promise<Visit> {
  // Where the helper keeps its memory and its spools.
  const stateDir = await mkdtemp(join(context.plan.temporaryDir, 'state-'));
  try {
    if (setup.isRepeatVisit) await visitInFreshProfile(context, setup, stateDir);
    return await visitInFreshProfile(context, setup, stateDir);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function visitInFreshProfile(context: LoadContext, setup: SchemeSetup, stateDir: string): Promise<Visit> {
  const userDataDir = await mkdtemp(join(context.plan.temporaryDir, 'profile-'));
  let driver: RunningDriver | undefined;
  try {
    if (setup.driver !== null) driver = await RunningDriver.start(context.plan.driver, [BROWSER_REGISTRATION]);
    const environment = {
      FIRSTSCREEN_PARTS_OFF: setup.partsOff.join(','), FIRSTSCREEN_RECORD: recordIn(userDataDir), XDG_STATE_HOME: stateDir, XDG_CACHE_HOME: stateDir,
      ...(setup.intercepts && context.trustEnvironment),
      ...(driver && { FIRSTSCREEN_DRIVER_SOCKET: driver.socket }),
    };
    const start = setup.browser === 'firefox' ? startFirefox : startChromium;
    const running = await start(context, setup, userDataDir, environment);
    try {
      await atRest(stateDir);
      if (context.plan.isSecondPage) {
        await showAnotherPage(running.page, context.entryUrl);
        await atRest(stateDir);
      }
      return await measure(running.page, context, setup, stateDir, recordIn(userDataDir));
    } finally {
      await running.close();
    }
  } finally {
    await driver?.stop();
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** No page of the recording: nothing of it is in a cache then. Waits for what is done between pages. */
async function showAnotherPage(page: MeasuredPage, entryUrl: string): Promise<void> {
  await page.navigate(new URL('/not-recorded-by-anybody', entryUrl).href);
  await sleep(BETWEEN_PAGES_MS);
}

async function measure(page: MeasuredPage, context: LoadContext, { hasExtension, hasHelper }: SchemeSetup, marker: string, recordFile: string): Promise<Visit> {
  const before = await processorTimes(marker);
  const artifacts = await gather(page, context.link, context.hosting, {
    entryUrl: context.entryUrl,
    viewport: context.plan.viewport,
    rttMs: context.rttMs,
    isLossy: context.isLossy,
    timeoutMs: context.timeoutMs,
    signal: context.signal,
  });
  const after = await processorTimes(marker);
  // Firefox has a process of extensions without ours, too.
  const processorMs = {
    helperMs: hasHelper ? difference(after.helperMs, before.helperMs) : null,
    extensionMs: hasExtension ? difference(after.extensionMs, before.extensionMs) : null,
  };
  return { artifacts, processorMs, record: await readRecord(recordFile, artifacts.navigationStartMs) };
}

/** Each visit has its own. */
function recordIn(userDataDir: string): string {
  return join(userDataDir, 'firstscreen-record.jsonl');
}

function difference(after: number | null, before: number | null): number | null {
  return after === null ? null : after - (before ?? 0);
}

type Start = (context: LoadContext, setup: SchemeSetup, userDataDir: string, environment: Readonly<Record<string, string>>) => Promise<{ readonly page: MeasuredPage; close(): Promise<void> }>;

const startFirefox: Start = async ({ plan }, setup, userDataDir, environment) => {
  const { browser, page, close } = await launchFirefox(plan.firefox, {
    userDataDir, viewport: plan.viewport, headed: plan.headed, extension: setup.hasExtension ? plan.firefoxExtensionDir : null, environment,
  });
  return { page: new FirefoxPage(browser, page), close };
};

const startChromium: Start = async (context, setup, userDataDir, environment) => {
  const { plan } = context;
  const managed = setup.hasExtension ? context.managed : null;
  if (setup.hasHelper) await copyHelperManifest(context.helperTemplateDir, userDataDir);
  if (managed) await copyInstalledExtension(managed, userDataDir);
  const running = await launchChromium(managed?.executable ?? plan.chromium, {
    userDataDir, viewport: plan.viewport, caSpki: context.caSpki, headed: plan.headed, asRoot: process.getuid?.() === 0, hasExtension: setup.hasExtension, environment,
  });
  try {
    if (setup.hasExtension) await prepareExtension(running, setup);
    return { page: await ChromiumPage.of(running.page), close: () => running.close() };
  } catch (error) {
    await running.close();
    throw error;
  }
};

async function prepareExtension({ context }: RunningChromium, setup: SchemeSetup): Promise<void> {
  if (!(await extensionReady(context))) throw new LoadFailure('EXTENSION', 'the extension did not get ready');
  if (setup.isRepeatVisit || setup.connections) await changeSettings(context, { remember: setup.isRepeatVisit, connections: setup.connections });
  if (setup.connections && !(await connectionsReady(context))) throw new LoadFailure('EXTENSION', 'the browser does not go by the helper');
  if (setup.intercepts && !(await trustsHelper(context))) throw new LoadFailure('EXTENSION', 'the browser does not trust the helper');
}
