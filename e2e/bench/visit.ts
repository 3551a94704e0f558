import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RELAY_ADDRESS } from '../analysis/ways.ts';
import type { RequestEvent } from '../../shared/src/requests/requestEvent.ts';
import { launchChromium, type RunningChromium } from '../browsers/chromium.ts';
import { CHROMIUM, EXTENSIONS } from '../browsers/executables.ts';
import { changeSettings, connectionsBecome, connectionsReady, copyHelperManifest, extensionReady, GOES_BY_ITSELF, TRUSTS_HELPER } from '../browsers/extension.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import { copyInstalledExtension, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import type { Artifacts } from '../metrics/artifacts.ts';
import { ChromiumPage } from '../metrics/chromiumPage.ts';
import type { PageLink } from '../metrics/collectLinks.ts';
import { LoadFailure } from '../metrics/failure.ts';
import { FirefoxPage } from '../metrics/firefoxPage.ts';
import { gather } from '../metrics/gather.ts';
import type { MeasuredPage } from '../metrics/measuredPage.ts';
import type { HostingControl, LinkControl } from '../metrics/testbed.ts';
import { atRest } from './atRest.ts';
import { RunningDriver, type Registration } from './driver/runningDriver.ts';
import { travel, type LoadPage } from './journey.ts';
import { processorTimes, type ProcessorTimes } from './processorTimes.ts';
import { readRecord } from './recordFile.ts';
import { carriers, newCarrier } from './relay/carriers.ts';
import type { RelayMode, SchemeSetup } from './schemes.ts';
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
  /** The same of browsers whose helper has a relay, by how it uses it. */
  readonly relayEnvironments: ReadonlyMap<RelayMode, Readonly<Record<string, string>>>;
  /** For the schemes that install by policy. */
  readonly managed: ManagedBrowser | null;
  readonly entryUrl: string;
  /** Where a journey can lead: addresses of the site's other pages. */
  readonly documents: ReadonlySet<string>;
  readonly rttMs: number;
  readonly isLossy: boolean;
  readonly hasRelay: boolean;
  readonly timeoutMs: number;
}

/** What a visit left behind, and what our processes spent on it. */
export interface Visit {
  /** What was loaded before it in the same browser: all that is told of it is what it fetched. */
  readonly before: readonly Artifacts[];
  /** The load that was measured; of a journey one for each page. */
  readonly pages: readonly [Artifacts, ...Artifacts[]];
  readonly processorMs: Omit<ProcessorTimes, 'allMs'>;
  /** Of the helper's requests as long as the browser ran, in milliseconds of CLOCK_MONOTONIC; null without a helper. */
  readonly record: readonly RequestEvent[] | null;
}

/** The extension judges a link anew when nothing was asked for in two seconds (payoff.ts). */
const BETWEEN_PAGES_MS = 3_000;

/** Of pages and names, of whatever program: the worker has process numbers of its own, so a driver finds no helper that registers itself (docs/driver.md). */
const REGISTRATION: Registration = { remotePorts: [80, 443, 53], policy: ['rar'] };

/**
 * For a second visit another browser goes to the page first, with a cache of its own: what stays is the helper's
 * memory. Rejects with LoadFailure.
 */
export async function visitPage(context: LoadContext, setup: SchemeSetup): Promise<Visit> {
  // Where the helper keeps its memory and its spools.
  const stateDir = await mkdtemp(join(context.plan.temporaryDir, 'state-'));
  try {
    if (setup.visit === 'journey' && context.documents.size === 0) throw new LoadFailure('NO_JOURNEY', 'the recording has no other page of its site');
    if (setup.visit === 'second') await visitInFreshProfile(context, setup, stateDir);
    return await visitInFreshProfile(context, setup, stateDir);
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function visitInFreshProfile(context: LoadContext, setup: SchemeSetup, stateDir: string): Promise<Visit> {
  const userDataDir = await mkdtemp(join(context.plan.temporaryDir, 'profile-'));
  const recordFile = join(userDataDir, 'firstscreen-record.jsonl');
  let driver: RunningDriver | undefined;
  try {
    if (setup.hasDriver) driver = await RunningDriver.start([REGISTRATION]);
    const environment = {
      FIRSTSCREEN_PARTS_OFF: setup.partsOff.join(','), FIRSTSCREEN_RECORD: recordFile, XDG_STATE_HOME: stateDir, XDG_CACHE_HOME: stateDir,
      ...(setup.relay === null ? setup.intercepts && context.trustEnvironment : context.relayEnvironments.get(setup.relay)),
      ...(setup.isNetworkKnown && { FIRSTSCREEN_KNOWN_NETWORK: 'testbed' }),
      ...(driver && { FIRSTSCREEN_DRIVER_SOCKET: driver.socket }),
    };
    const start = setup.browser === 'firefox' ? startFirefox : startChromium;
    const others = await carriers(RELAY_ADDRESS);
    const running = await start(context, setup, userDataDir, environment);
    try {
      // where the network is known as fast nobody asks the helper for a proxy, and so nobody the relay
      if (setup.relay !== null && !setup.isNetworkKnown) await newCarrier(context.link, RELAY_ADDRESS, others, context.rttMs);
      await atRest(stateDir);
      if (context.plan.isSecondPage) {
        await showAnotherPage(running.page, context.entryUrl);
        await atRest(stateDir);
      }
      const load: LoadPage = (link, earlier) => gatherPage(running.page, context, link, earlier);
      const visited = setup.visit === 'warm' || setup.visit === 'again' ? [await visitAndLeave(running.page, load)] : [];
      if (visited.length > 0) await atRest(stateDir);
      // of what is passed by nothing counts
      const before = setup.visit === 'warm' ? visited : [];
      if (setup.visit === 'again') await running.page.passCacheBy();
      const measured = setup.visit === 'journey' ? () => travel(running.page, context.documents, load) : async () => [await load(null, before)];
      const visit = await timed(measured, setup, stateDir);
      return { ...visit, before, record: await readRecord(recordFile) };
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

/**
 * A user comes back within a session in the browser that still runs, with other pages between, after minutes: caches,
 * cookies and TLS sessions are there, connections have been closed by their servers (`gather` has them closed). What the
 * browser asks for after that is a navigation, not the reload that the address of the page shown would be.
 */
async function visitAndLeave(page: MeasuredPage, load: LoadPage): Promise<Artifacts> {
  const visited = await load(null, []);
  await page.navigate('about:blank');
  await sleep(BETWEEN_PAGES_MS);
  return visited;
}

async function gatherPage(page: MeasuredPage, context: LoadContext, link: PageLink | null, earlier: readonly Artifacts[]): Promise<Artifacts> {
  return await gather(page, context.link, context.hosting, { ...context, link, earlier, viewport: context.plan.viewport });
}

async function timed(load: () => Promise<Artifacts[]>, { hasExtension, hasHelper }: SchemeSetup, marker: string): Promise<Pick<Visit, 'pages' | 'processorMs'>> {
  const before = await processorTimes(marker);
  const [first, ...others] = await load();
  if (first === undefined) throw new LoadFailure('NAVIGATION', 'nothing was loaded');
  const after = await processorTimes(marker);
  // Firefox has a process of extensions without ours, too.
  const processorMs = {
    helperMs: hasHelper ? difference(after.helperMs, before.helperMs) : null,
    extensionMs: hasExtension ? difference(after.extensionMs, before.extensionMs) : null,
  };
  return { pages: [first, ...others], processorMs };
}

function difference(after: number | null, before: number | null): number | null {
  return after === null ? null : after - (before ?? 0);
}

type Start = (context: LoadContext, setup: SchemeSetup, userDataDir: string, environment: Readonly<Record<string, string>>) => Promise<{ readonly page: MeasuredPage; close(): Promise<void> }>;

const startFirefox: Start = async ({ plan }, setup, userDataDir, environment) => {
  const { browser, page, close } = await launchFirefox({
    userDataDir, viewport: plan.viewport, extension: setup.hasExtension ? join(EXTENSIONS, 'firefox') : null, environment,
  });
  return { page: new FirefoxPage(browser, page), close };
};

const startChromium: Start = async (context, setup, userDataDir, environment) => {
  const { plan } = context;
  const managed = setup.hasExtension ? context.managed : null;
  if (setup.hasHelper) await copyHelperManifest(context.helperTemplateDir, userDataDir);
  if (managed) await copyInstalledExtension(managed, userDataDir);
  const running = await launchChromium(managed?.executable ?? CHROMIUM, {
    userDataDir, viewport: plan.viewport, caSpki: context.caSpki, hasExtension: setup.hasExtension, environment,
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
  const remember = setup.isNetworkKnown || (setup.visit !== 'first' && setup.visit !== 'again');
  if (remember || setup.connections) await changeSettings(context, { remember, connections: setup.connections, nextPage: setup.connections && setup.visit === 'journey' });
  if (setup.isNetworkKnown) {
    if (!(await connectionsBecome(context, GOES_BY_ITSELF))) throw new LoadFailure('EXTENSION', 'the browser does not go by itself, although the network is known as fast');
    return;
  }
  if (setup.relay !== null) {
    // a relay that is near tells of the link before a page is asked for
    if (!(await connectionsBecome(context, TRUSTS_HELPER, GOES_BY_ITSELF))) throw new LoadFailure('EXTENSION', 'the browser neither trusts the helper nor goes by itself');
    return;
  }
  if (setup.connections && !(await connectionsReady(context))) throw new LoadFailure('EXTENSION', 'the browser does not go by the helper');
  if (setup.intercepts && !(await connectionsBecome(context, TRUSTS_HELPER))) throw new LoadFailure('EXTENSION', 'the browser does not trust the helper');
}
