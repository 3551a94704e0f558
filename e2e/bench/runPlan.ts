import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installHelper, trustHelper } from '../browsers/extension.ts';
import { createManagedBrowser, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { differingFraction, type Picture } from '../analysis/pixels.ts';
import { ControlError } from '../metrics/control.ts';
import { decodePicture } from '../metrics/decode.ts';
import type { HostedPage, HostingControl, LinkControl, LinkReport } from '../metrics/testbed.ts';
import { loadOnce, type LoadContext, type LoadOutcome } from './loadOnce.ts';
import { loadTimeoutMs } from './loadTimeout.ts';
import type { Pair } from './schedule.ts';
import { setupOf } from './schemes.ts';
import type { WorkerMessage, WorkerPlan } from './workerMessages.ts';

export interface Testbed {
  readonly link: LinkControl;
  readonly hosting: HostingControl;
  readonly tell: (message: WorkerMessage) => void;
  readonly signal: AbortSignal;
}

export type EndReason = 'complete' | 'budget' | 'interrupted';

const CONTROL_TIMEOUT_MS = 15_000;
const CONTROL_POLL_MS = 50;
/** Difference per channel up to which two pixels of full-resolution pictures are the same. */
const PICTURE_TOLERANCE = 16;

/** Goes through the pairs until they are done, the budget is used up, or the signal comes. */
export async function runPlan(plan: WorkerPlan, testbed: Testbed): Promise<EndReason> {
  await controlReady(testbed.hosting);
  const linkReport = await testbed.link.report();
  const runner = new PairRunner(plan, testbed, linkReport, await prepare(plan));
  let ready = false;
  for (const pair of plan.pairs) {
    if (testbed.signal.aborted) return 'interrupted';
    if (plan.deadlineMs !== null && Date.now() > plan.deadlineMs) return 'budget';
    if (!ready) testbed.tell({ type: 'ready', chromium: plan.chromium, link: linkReport });
    ready = true;
    await runner.run(pair);
  }
  return testbed.signal.aborted ? 'interrupted' : 'complete';
}

/** The hosting starts beside the worker; its socket appears when it serves. */
async function controlReady(hosting: HostingControl): Promise<void> {
  const deadline = Date.now() + CONTROL_TIMEOUT_MS;
  for (;;) {
    try {
      await hosting.log();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(CONTROL_POLL_MS);
    }
  }
}

type Prepared = Pick<LoadContext, 'caSpki' | 'helperTemplateDir' | 'trustEnvironment' | 'managed'>;

async function prepare(plan: WorkerPlan): Promise<Prepared> {
  const caSpki = (await readFile(join(plan.caDir, 'ca.spki'), 'utf8')).trim();
  const helperTemplateDir = join(plan.temporaryDir, 'helper');
  await mkdir(helperTemplateDir, { recursive: true });
  const managed = await prepareManaged(plan);
  if (plan.schemes.some(({ kind }) => setupOf(kind).hasHelper)) await installHelper(plan.helperMain, helperTemplateDir, managed === null ? [] : [managed.extensionId]);
  const trustEnvironment = plan.schemes.some(({ kind }) => setupOf(kind).intercepts) ? await trustHelper(plan.helperMain, join(plan.temporaryDir, 'home'), join(plan.caDir, 'ca.pem')) : null;
  return { caSpki, helperTemplateDir, trustEnvironment, managed };
}

async function prepareManaged({ schemes, chromium, managedExtensionDir, temporaryDir }: WorkerPlan): Promise<ManagedBrowser | null> {
  if (!schemes.some(({ kind }) => setupOf(kind).extension === 'managed')) return null;
  const dir = join(temporaryDir, 'managed');
  await mkdir(dir);
  return createManagedBrowser(chromium, managedExtensionDir, dir);
}

/** Runs pairs and compares their pictures. */
class PairRunner {
  readonly #plan: WorkerPlan;
  readonly #testbed: Testbed;
  readonly #link: LinkReport;
  readonly #prepared: Prepared;
  readonly #broken = new Set<string>();
  /** The stock picture of the round before, by page: what stock differs from itself is the page's own noise. */
  readonly #lastStockPicture = new Map<string, Picture>();

  constructor(plan: WorkerPlan, testbed: Testbed, link: LinkReport, prepared: Prepared) {
    this.#plan = plan;
    this.#testbed = testbed;
    this.#link = link;
    this.#prepared = prepared;
  }

  async run(pair: Pair): Promise<void> {
    if (this.#broken.has(pair.page)) return;
    const hosted = await this.#host(pair.page);
    if (!hosted) return;
    const pictures = new Map<string, Picture>();
    for (const label of pair.order) {
      const outcome = await this.#load(pair, label, hosted);
      if (this.#testbed.signal.aborted) return;
      if (outcome.screenshot) pictures.set(label, await decodePicture(outcome.screenshot));
    }
    this.#comparePictures(pair, pictures);
    this.#testbed.tell({ type: 'pairDone', page: pair.page, run: pair.run });
  }

  async #host(page: string): Promise<LoadContext | null> {
    const { hosting, tell } = this.#testbed;
    const path = this.#plan.pages.find(({ name }) => name === page)?.path ?? page;
    let hosted: HostedPage;
    try {
      hosted = await hosting.load(path, this.#plan.protocol);
    } catch (error) {
      if (!(error instanceof ControlError)) throw error;
      this.#broken.add(page);
      tell({ type: 'pageError', page, code: error.code, message: error.message, next: error.next });
      return null;
    }
    tell({ type: 'page', page, entryUrl: hosted.entryUrl, congestion: hosted.congestion ?? null });
    const { down, up } = this.#link.profile;
    const rttMs = down.delayMs + up.delayMs;
    return {
      plan: this.#plan,
      link: this.#testbed.link,
      hosting,
      signal: this.#testbed.signal,
      ...this.#prepared,
      entryUrl: hosted.entryUrl,
      rttMs,
      isLossy: down.loss > 0 || up.loss > 0,
      timeoutMs: this.#plan.loadTimeoutMs ?? loadTimeoutMs({ bytes: await hosting.servedBytes(), rateBitsPerSecond: down.rateBitsPerSecond, rttMs }),
    };
  }

  /** A failed load is tried once more; both are told. */
  async #load({ page, run }: Pair, label: string, context: LoadContext): Promise<LoadOutcome> {
    const { tell, signal } = this.#testbed;
    tell({ type: 'start', page, scheme: label, run });
    const kind = this.#plan.schemes.find((scheme) => scheme.label === label)?.kind ?? 'conv';
    for (let attempt = 1; ; attempt++) {
      const outcome = await loadOnce(context, { page, run, attempt, scheme: { label, kind } });
      if (signal.aborted) return outcome;
      tell({ type: 'load', load: outcome.load, answered: [...outcome.answered], missing: [...outcome.missing] });
      if (outcome.load.failed === null || attempt === 2) return outcome;
    }
  }

  #comparePictures({ page, run }: Pair, pictures: ReadonlyMap<string, Picture>): void {
    const baseline = this.#plan.schemes[0]?.label ?? '';
    const stock = pictures.get(baseline);
    if (!stock) return;
    const differences: Record<string, number> = {};
    for (const [label, picture] of pictures) if (label !== baseline) differences[label] = differingFraction(stock, picture, PICTURE_TOLERANCE);
    const before = this.#lastStockPicture.get(page);
    const noise = before ? differingFraction(stock, before, PICTURE_TOLERANCE) : null;
    this.#lastStockPicture.set(page, stock);
    this.#testbed.tell({ type: 'pictures', page, run, differences, noise });
  }
}
