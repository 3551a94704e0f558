import type { AnsweredRequest } from '../analysis/analyse.ts';
import { objectDifferences } from '../analysis/objectComparison.ts';
import { isSuccess } from '../analysis/responses.ts';
import { median } from '../../shared/src/statistics/statistics.ts';
import type { LinkReport } from '../metrics/testbed.ts';
import { baselineLabels, comparedPairs } from './baselines.ts';
import type { PageFile } from './pages.ts';
import type { Load, PageSummary, Results } from './results.ts';
import type { Scheme } from './schemes.ts';
import { withoutQuery } from './withoutQuery.ts';
import type { WorkerMessage } from './workerMessages.ts';

interface Collected {
  readonly load: Load;
  readonly answered: readonly AnsweredRequest[];
  readonly missing: readonly string[];
}

type Pictures = Extract<WorkerMessage, { type: 'pictures' }>;
type PageError = NonNullable<PageSummary['error']>;

/** Takes the worker's messages and knows, at any time, the results so far. */
export class Collector {
  readonly #pages: readonly PageFile[];
  readonly #firstBaseline: string;
  readonly #baselines: ReadonlyMap<string, string>;
  readonly #loads: Collected[] = [];
  readonly #pictures: Pictures[] = [];
  readonly #entryUrls = new Map<string, string>();
  readonly #errors = new Map<string, PageError>();
  link: LinkReport | null = null;
  congestion: string | null = null;
  ended: Results['ended'] = 'interrupted';
  error: Results['error'] = null;

  constructor(pages: readonly PageFile[], schemes: readonly Scheme[]) {
    const labels = baselineLabels(schemes);
    this.#pages = pages;
    this.#firstBaseline = labels[0] ?? '';
    this.#baselines = new Map([...labels.map((label) => [label, label] as const), ...comparedPairs(schemes).map(({ scheme, baseline }) => [scheme, baseline] as const)]);
  }

  take(message: WorkerMessage): void {
    switch (message.type) {
      case 'ready':
        this.link = message.link;
        break;
      case 'page':
        this.#entryUrls.set(message.page, message.entryUrl);
        this.congestion = message.congestion;
        break;
      case 'pageError':
        this.#errors.set(message.page, { code: message.code, message: message.message, next: message.next });
        break;
      case 'load':
        this.#loads.push(message);
        break;
      case 'pictures':
        this.#pictures.push(message);
        break;
      case 'end':
        this.link = message.link;
        this.ended = message.reason;
        break;
      default:
        break;
    }
  }

  /** The test bed failed: what was measured until then stays. */
  fail({ code, message, next }: NonNullable<Results['error']>): void {
    this.ended = 'failed';
    this.error = { code, message, next };
  }

  get isEmpty(): boolean {
    return this.#loads.length === 0;
  }

  /** Every load with what only a comparison with others can tell. */
  loads(): Load[] {
    return this.#loads.map((collected) => this.#compared(collected));
  }

  pages(): PageSummary[] {
    return this.#pages.map(({ name, path }) => ({
      name,
      path,
      entryUrl: this.#entryUrls.get(name) ?? null,
      offScreenShare: this.#offScreenShare(name),
      pictureNoise: finite(median(this.#pictures.flatMap(({ page, noise }) => (page === name && noise !== null ? [noise] : [])))),
      error: this.#errors.get(name) ?? null,
    }));
  }

  /** Loads of the baseline that succeeded. */
  #stock(page: string, baseline: string): Collected[] {
    return this.#loads.filter(({ load }) => load.page === page && load.scheme === baseline && load.failed === null);
  }

  #offScreenShare(page: string): number | null {
    return finite(median(this.#stock(page, this.#firstBaseline).map(({ load }) => 1 - (load.firstScreenBytes ?? 0) / (load.bodyBytes || 1))));
  }

  #compared({ load, answered, missing }: Collected): Load {
    if (load.failed !== null) return load;
    const stock = this.#stock(load.page, this.#baselines.get(load.scheme) ?? '');
    const { lost, fetchedTwice } = objectDifferences(answered, stock.map((run) => run.answered));
    // An image that the final layout shows, that the server has and that never came: whatever time was measured, the screen was never complete.
    const lostInView = missing.filter((url) => stock.some((run) => run.answered.some((answer) => answer.url === url && answer.whole && isSuccess(answer.status))));
    const pictures = this.#pictures.find(({ page, run }) => page === load.page && run === load.run);
    const stockSteps = stock.find((run) => run.load.run === load.run)?.load.steps ?? load.steps;
    const isOtherWay = load.steps.map(({ url }) => url).join(' ') !== stockSteps.map(({ url }) => url).join(' ');
    return {
      ...load,
      objectsLost: lost.length,
      objectsFetchedTwice: fetchedTwice.length,
      lost: lost.map(withoutQuery),
      fetchedTwice: fetchedTwice.map(withoutQuery),
      pictureDifference: pictures?.differences[load.scheme] ?? null,
      ...(lostInView.length > 0 ? { failed: 'LOST_IN_VIEW', failure: `never arrived: ${lostInView.map(withoutQuery).join(' ')}` } : {}),
      ...(isOtherWay ? { failed: 'OTHER_WAY', failure: `went by ${load.steps.map(({ url }) => url).join(' ')}` } : {}),
    };
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
