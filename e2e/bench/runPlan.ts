import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXTENSIONS } from '../browsers/executables.ts';
import { installHelper, trustHelper } from '../browsers/extension.ts';
import { createManagedBrowser, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { differingFraction } from '../analysis/pixels.ts';
import { roundTripMs } from '../analysis/ways.ts';
import type { HostedPage, HostingControl, LinkControl, LinkReport } from '../metrics/testbed.ts';
import { baselineLabels, comparedPairs } from './baselines.ts';
import { BenchError } from './errors.ts';
import { siteDocuments } from './journey.ts';
import { loadOnce, type LoadOutcome } from './loadOnce.ts';
import { loadTimeoutMs } from './loadTimeout.ts';
import { PictureStore } from './pictureStore.ts';
import { MAX_ATTEMPTS } from './results.ts';
import type { Pair } from './schedule.ts';
import { RELAY_MODES, setupOf, type RelayMode } from './schemes.ts';
import type { LoadContext } from './visit.ts';
import type { WorkerMessage, WorkerPlan } from './workerMessages.ts';

export interface Testbed {
  readonly link: LinkControl;
  readonly hosting: HostingControl;
  readonly tell: (message: WorkerMessage) => void;
  readonly signal: AbortSignal;
}

export type EndReason = 'complete' | 'limit' | 'interrupted';

/** Difference per channel up to which two pixels of full-resolution pictures are the same. */
const PICTURE_TOLERANCE = 16;

/** Goes through the pairs until they are done, the time is over, or the signal comes. */
export async function runPlan(plan: WorkerPlan, testbed: Testbed): Promise<EndReason> {
  await testbed.hosting.ready();
  const linkReport = await testbed.link.report();
  const runner = new PairRunner(plan, testbed, linkReport, await prepare(plan));
  testbed.tell({ type: 'ready', link: linkReport });
  for (const pair of plan.pairs) {
    if (testbed.signal.aborted) return 'interrupted';
    if (isOver(plan)) return 'limit';
    if ((await runner.run(pair)) === 'limit') return 'limit';
  }
  return testbed.signal.aborted ? 'interrupted' : 'complete';
}

function isOver({ deadlineMs }: WorkerPlan): boolean {
  return deadlineMs !== null && Date.now() > deadlineMs;
}

type Prepared = Pick<LoadContext, 'caSpki' | 'helperTemplateDir' | 'trustEnvironment' | 'relayEnvironments' | 'managed'>;

async function prepare(plan: WorkerPlan): Promise<Prepared> {
  const caSpki = (await readFile(join(plan.caDir, 'ca.spki'), 'utf8')).trim();
  const helperTemplateDir = join(plan.temporaryDir, 'helper');
  const managed = await prepareManaged(plan);
  const extensionIds = managed === null ? [] : [managed.extensionId];
  if (plan.schemes.some((scheme) => setupOf(scheme).hasHelper)) await installHelper(plan.helperMain, helperTemplateDir, extensionIds);
  const trustIn = (homeDir: string) => trustHelper(plan.helperMain, homeDir, join(plan.caDir, 'ca.pem'));
  const trustEnvironment = plan.schemes.map(setupOf).some(({ intercepts, relay }) => intercepts && relay === null) ? await trustIn(join(plan.temporaryDir, 'home')) : null;
  const relayEnvironments = new Map<RelayMode, Readonly<Record<string, string>>>();
  for (const mode of RELAY_MODES) {
    const homeDir = plan.relayHomes[mode];
    if (homeDir !== undefined) relayEnvironments.set(mode, await trustIn(homeDir));
  }
  return { caSpki, helperTemplateDir, trustEnvironment, relayEnvironments, managed };
}

async function prepareManaged({ schemes, temporaryDir }: WorkerPlan): Promise<ManagedBrowser | null> {
  if (!schemes.map(setupOf).some(({ browser, hasExtension }) => browser === 'chromium' && hasExtension)) return null;
  const dir = join(temporaryDir, 'managed');
  await mkdir(dir);
  return createManagedBrowser(join(EXTENSIONS, 'managed'), dir);
}

interface PicturedLoad {
  readonly run: number;
  readonly label: string;
}

function greatest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

/** Runs pairs and compares their pictures. */
class PairRunner {
  readonly #plan: WorkerPlan;
  readonly #testbed: Testbed;
  readonly #link: LinkReport;
  readonly #prepared: Prepared;
  readonly #broken = new Set<string>();
  readonly #pictures: PictureStore;

  constructor(plan: WorkerPlan, testbed: Testbed, link: LinkReport, prepared: Prepared) {
    this.#plan = plan;
    this.#pictures = new PictureStore(plan.outDir);
    this.#testbed = testbed;
    this.#link = link;
    this.#prepared = prepared;
  }

  /** @returns 'limit' when the time was over before the pair was done */
  async run(pair: Pair): Promise<'limit' | null> {
    if (this.#broken.has(pair.page)) return null;
    const hosted = await this.#host(pair.page);
    if (!hosted) return null;
    for (const label of pair.order) {
      if (isOver(this.#plan)) return 'limit';
      const { screenshots } = await this.#load(pair, label, hosted);
      if (this.#testbed.signal.aborted) return null;
      for (const [step, screenshot] of screenshots.entries()) await this.#pictures.save(pair.page, pair.run, label, step, screenshot);
    }
    await this.#comparePictures(pair);
    this.#testbed.tell({ type: 'pairDone', page: pair.page, run: pair.run });
    return null;
  }

  async #host(page: string): Promise<LoadContext | null> {
    const { hosting, tell } = this.#testbed;
    const path = this.#plan.pages.find(({ name }) => name === page)?.path ?? page;
    let hosted: HostedPage;
    try {
      hosted = await hosting.load(path, this.#plan.protocol);
    } catch (error) {
      if (!(error instanceof BenchError)) throw error;
      this.#broken.add(page);
      tell({ type: 'pageError', page, code: error.code, message: error.message, next: error.next });
      return null;
    }
    tell({ type: 'page', page, entryUrl: hosted.entryUrl, congestion: hosted.congestion ?? null });
    const inventory = await hosting.inventory();
    const { down, up, secondHop } = this.#link.profile;
    const rttMs = roundTripMs(this.#link.profile);
    return {
      plan: this.#plan,
      link: this.#testbed.link,
      hosting,
      signal: this.#testbed.signal,
      ...this.#prepared,
      entryUrl: hosted.entryUrl,
      documents: siteDocuments(inventory, hosted.entryUrl),
      rttMs,
      isLossy: down.loss > 0 || up.loss > 0,
      hasRelay: secondHop !== undefined,
      timeoutMs: this.#plan.loadTimeoutMs ?? loadTimeoutMs({ bytes: inventory.reduce((sum, { servedBytes }) => sum + servedBytes, 0), rateBitsPerSecond: down.rateBitsPerSecond, rttMs }),
    };
  }

  /** A failed load is tried once more; both are told. */
  async #load({ page, run }: Pair, label: string, context: LoadContext): Promise<LoadOutcome> {
    const { tell, signal } = this.#testbed;
    const scheme = this.#plan.schemes.find((known) => known.label === label) ?? { label, kind: 'conv' as const, partsOff: [] };
    for (let attempt = 1; ; attempt++) {
      const outcome = await loadOnce(context, { page, run, attempt, scheme });
      if (signal.aborted) return outcome;
      tell({ type: 'load', load: outcome.load, answered: [...outcome.answered], missing: [...outcome.missing] });
      if (outcome.load.failed === null || attempt === MAX_ATTEMPTS) return outcome;
    }
  }

  /**
   * Against the baseline's picture of this round; baselines against those of the round before, as what stock differs from
   * itself is the page's own noise.
   */
  async #comparePictures({ page, run }: Pair): Promise<void> {
    const differences: Record<string, number> = {};
    for (const { scheme, baseline } of comparedPairs(this.#plan.schemes)) {
      const difference = await this.#pictureDifference(page, { run, label: baseline }, { run, label: scheme });
      if (difference !== null) differences[scheme] = difference;
    }
    const baselines = baselineLabels(this.#plan.schemes);
    const noises = await Promise.all(baselines.map((label) => this.#pictureDifference(page, { run, label }, { run: run - 1, label })));
    await this.#pictures.keepOnly(page, run, baselines);
    this.#testbed.tell({ type: 'pictures', page, run, differences, noise: greatest(noises.filter((noise) => noise !== null)) });
  }

  /** Of the page of a journey that differs most. Null when there is nothing to compare. */
  async #pictureDifference(page: string, a: PicturedLoad, b: PicturedLoad): Promise<number | null> {
    const differences: number[] = [];
    for (let step = 0; ; step++) {
      const [one, other] = await Promise.all([a, b].map(({ run, label }) => this.#pictures.read(page, run, label, step)));
      if (!one || !other) return greatest(differences);
      differences.push(differingFraction(one, other, PICTURE_TOLERANCE));
    }
  }
}
