import { BoundedSet } from '../../../shared/src/boundedSet.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { MAX_FORESEEN_IMAGES } from '../../../shared/src/protocol/native.ts';
import { pageKeys } from '../../../shared/src/memory/pageKey.ts';
import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import type { SheetScan } from '../reading/cssScanner.ts';
import { ContentPolicies } from '../reading/contentPolicy.ts';
import { readDocument, type BodyReader } from '../reading/documentReader.ts';
import { FreshnessLedger } from './freshnessLedger.ts';
import { PredictedAnswers, type Prediction, type PredictionLimits } from './predictedAnswers.ts';
import { destinationOf, predictedHeaders } from './predictedHeaders.ts';
import { Recently } from './recently.ts';
import { readSheet } from '../reading/sheetReader.ts';
import { StyleImages, type SheetSource } from '../reading/styleImages.ts';
import type { SpoolOptions } from '../spool/spooledBody.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import { expectedFrom, imagesOfStyles, importsOf, namedBy, referrerPolicyOf, type Foreseen, type Page } from './foreseen.ts';
import type { ObjectRanks } from './objectRanks.ts';
import { PredictedAnswer } from './predictedAnswer.ts';

export interface PredictorOptions {
  readonly fetch: (request: UpstreamRequest, sink: ResponseSink) => Fetch;
  readonly ranks: ObjectRanks;
  /** Whether the link is so slow that the browser will not rather ask by itself. */
  readonly isWorthwhile: () => boolean;
  /** A document is asked for there. */
  readonly navigated: (origin: string) => void;
  /** What a visit to this page is expected to need; empty when nothing is known. */
  readonly expected: (url: string) => readonly NeededObject[];
  /** These images (at most MAX_FORESEEN_IMAGES) are asked for although the browser has not, or are there. */
  readonly foresaw: (urls: readonly string[], state: 'coming' | 'here') => void;
  readonly spool: SpoolOptions;
  /** Milliseconds of a monotonic clock, and of the wall clock. */
  readonly now: () => number;
  readonly wallNow: () => number;
}

const STYLES = ' styles';
const MEBIBYTE = 1024 * 1024;
const LIMITS: PredictionLimits = { bytes: 32 * MEBIBYTE, partitionBytes: 12 * MEBIBYTE, count: 600, partitionCount: 250, keptMs: 30_000, pendingMs: 120_000 };
const LEDGER_URLS = 20_000;
const MAX_MISJUDGED = 2_000;
const RECENT_MS = 30_000;
const CACHED_FIELDS = ['if-none-match', 'if-modified-since'];

/**
 * Transparent prefetching (TP, design.md): asks servers for what a page's HTML names for certain, for what its styles name for elements that it has, and for what earlier visits needed, before the browser does; the
 * browser's own request, when it comes and is the same in every way, gets that answer. Everything else goes on as it was asked.
 */
export class Predictor {
  private readonly options: PredictorOptions;
  private readonly answers: PredictedAnswers<PredictedAnswer>;
  /** Images that nobody has claimed yet, by URL. */
  private readonly images = new Map<string, PredictedAnswer>();
  /** What was asked for lately, by whatever document: another one will get it from the browser's memory. */
  private readonly recent = new Recently(RECENT_MS);
  /** From whose pages to which servers the browser asks in another way than was foreseen. */
  private readonly misjudged = new BoundedSet<string>(MAX_MISJUDGED);
  private readonly ledger = new FreshnessLedger(LEDGER_URLS);
  private timer: NodeJS.Timeout | undefined;

  constructor(options: PredictorOptions) {
    this.options = options;
    this.answers = new PredictedAnswers(
      LIMITS,
      (answer, reason) => {
        // the browser asks for more in that way: each would be fetched twice
        if (reason === 'mismatch') this.misjudged.add(answer.direction);
        this.forgetImage(answer);
        answer.drop();
      },
      options.wallNow,
    );
  }

  /** As the way to the servers that it stands before. */
  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch {
    const { method, headers } = request;
    const url = `${request.origin}${request.path}`;
    const partition = partitionOf(url, headers);
    const claim = this.answers.claim({ method, url, partition, headers }, this.options.now());
    if (claim === null) return this.fetchItself(request, url, partition, sink);
    this.forgetImage(claim.answer);
    const suits = (fields: RawHeaders): boolean => {
      const doesSuit = claim.suits(fields);
      if (!doesSuit) this.misjudged.add(claim.answer.direction);
      return doesSuit;
    };
    const fetch = claim.answer.claim(this.noting(request, url, partition, sink), suits, () => this.fetchItself(request, url, partition, sink));
    // of what is no image the document has said more than its request does
    fetch.await(request.fetchClass === FetchClass.layout ? FetchClass.undisplayed : request.fetchClass);
    return fetch;
  }

  /** Whether an image is there, or comes, without the browser's asking. */
  stateOf(url: string): 'here' | 'coming' | undefined {
    const answer = this.images.get(url);
    return answer === undefined ? undefined : answer.isComplete ? 'here' : 'coming';
  }

  close(): void {
    clearTimeout(this.timer);
    this.answers.close();
  }

  private fetchItself(request: UpstreamRequest, url: string, partition: string, sink: ResponseSink): Fetch {
    if (!CACHED_FIELDS.some((name) => valuesOf(request.headers, name).length > 0)) this.ledger.asked(partition, url);
    this.recent.add(url, this.options.now());
    const isNavigation = request.method === 'GET' && isDocument(request.headers);
    if (isNavigation) this.options.navigated(request.origin);
    if (isNavigation) this.foresee({ navigation: { url, request: request.headers, setCookies: [] }, policies: new ContentPolicies(url), styles: new StyleImages() }, this.options.expected(url).map((needed) => expectedFrom(url, needed)));
    return this.options.fetch(request, isNavigation ? this.reading(request, url, this.noting(request, url, partition, sink)) : this.noting(request, url, partition, sink));
  }

  /** What the browser is given is in its cache from then on. */
  private noting({ method }: UpstreamRequest, url: string, partition: string, sink: ResponseSink): ResponseSink {
    if (method !== 'GET') return sink;
    return {
      informed: (status, headers) => sink.informed(status, headers),
      started: (status, statusText, headers) => {
        this.ledger.given(partition, url, status, headers, this.options.wallNow());
        sink.started(status, statusText, headers);
      },
      data: (chunk) => sink.data(chunk),
      ended: (trailers) => sink.ended(trailers),
      failed: (error, wasSent) => sink.failed(error, wasSent),
    };
  }

  /** A document is read as it passes. */
  private reading(request: UpstreamRequest, url: string, sink: ResponseSink): ResponseSink {
    let reader: BodyReader | null = null;
    return {
      informed: (status, headers) => sink.informed(status, headers),
      started: (status, statusText, headers) => {
        const page: Page = { navigation: { url, request: request.headers, setCookies: valuesOf(headers, 'set-cookie') }, policies: new ContentPolicies(url, valuesOf(headers, 'content-security-policy')), styles: new StyleImages() };
        const policy = referrerPolicyOf(headers);
        reader = readDocument({ url, policies: page.policies }, status, headers, page.styles, (found) => this.foresee(page, found.map((each) => namedBy(page, each, policy))));
        sink.started(status, statusText, headers);
      },
      data: (chunk) => {
        reader?.write(chunk);
        return sink.data(chunk);
      },
      ended: (trailers) => {
        reader?.end();
        sink.ended(trailers);
      },
      failed: (error, wasSent) => {
        reader?.close();
        sink.failed(error, wasSent);
      },
    };
  }

  private foresee(page: Page, objects: readonly Foreseen[]): void {
    const all = [...objects, ...imagesOfStyles(page)];
    const images = all.filter((object) => this.predict(page, object) && object.kind === 'image').map(({ url }) => url);
    for (let at = 0; at < images.length; at += MAX_FORESEEN_IMAGES) this.options.foresaw(images.slice(at, at + MAX_FORESEEN_IMAGES), 'coming');
    this.expire();
  }

  private forgetImage(answer: PredictedAnswer): void {
    if (this.images.get(answer.url) === answer) this.images.delete(answer.url);
  }

  /** @returns whether it is asked for now */
  private predict(page: Page, foreseen: Foreseen): boolean {
    if (!this.options.isWorthwhile()) return false;
    const { navigation } = page;
    const { url, kind, mode } = foreseen;
    const wallMs = this.options.wallNow();
    const { origin } = new URL(url);
    const direction = `${originOf(navigation.url)} ${origin}`;
    if (this.recent.has(url, this.options.now()) || this.misjudged.has(direction)) return false;
    const headers = predictedHeaders(navigation, foreseen, wallMs);
    if (headers === null) return false;
    const partition = partitionOf(url, headers);
    // rules of styles are named in vain more often than elements are: they are judged by themselves
    const pageKey = `${pageKeys(navigation.url).template}${foreseen.referrer === navigation.url ? '' : STYLES}`;
    if (!this.answers.mayPredict(pageKey) || !this.answers.hasRoomFor(partition, url) || this.ledger.isLikelyCached(partition, url, wallMs)) return false;
    const known = this.options.ranks.describe(url, headers);
    const described = { ...known, bytes: Math.min(known.bytes, foreseen.mostBytes) };
    const index = foreseen.index ?? described.index;
    const prediction: { made: Prediction | null } = { made: null };
    const told = (tell: (made: Prediction) => void): void => {
      if (prediction.made !== null) tell(prediction.made);
    };
    let sheet: BodyReader | null = null;
    const answer = new PredictedAnswer({ url, direction }, this.options.spool, {
      started: (status, _, fields) => {
        told((made) => this.answers.started(made, status, fields));
        this.options.ranks.answered(url, headers, fields);
        if (kind === 'style') sheet = readSheet(url, status, fields, (scan) => this.readSheet(page, scan, { url, referrerPolicy: referrerPolicyOf(fields), index }));
      },
      received: (chunk) => {
        told((made) => this.answers.received(made, chunk.length));
        sheet?.write(chunk);
      },
      ended: () => {
        told((made) => this.answers.ended(made, this.options.now()));
        sheet?.end();
        unwatch();
        if (this.images.get(url) === answer) this.options.foresaw([url], 'here');
      },
      failed: () => {
        told((made) => this.answers.failed(made));
        sheet?.close();
        unwatch();
      },
    });
    let unwatch = (): void => undefined;
    prediction.made = this.answers.put({ url, partition, pageKey, headers, mode, destination: destinationOf(kind) }, answer, this.options.now());
    if (prediction.made === null) return false;
    if (kind === 'image') this.images.set(url, answer);
    this.recent.add(url, this.options.now());
    // a plan knows better
    const fetchClass = kind === 'image' && described.fetchClass !== FetchClass.unplaced ? described.fetchClass : foreseen.fetchClass;
    const fetch = this.options.fetch({ method: 'GET', origin, path: url.slice(origin.length), headers, body: null, foreseenFor: originOf(navigation.url), ...described, index, fetchClass }, answer);
    answer.fetch = fetch;
    unwatch = this.options.ranks.watch(url, (ranked) => fetch.rank(ranked));
    return true;
  }

  /** A style sheet is complete. */
  private readSheet(page: Page, scan: SheetScan, sheet: SheetSource): void {
    page.styles.sheet(scan, sheet);
    this.foresee(page, importsOf(page, scan, sheet));
  }

  private expire(): void {
    clearTimeout(this.timer);
    const atMs = this.answers.nextTimerMs;
    if (atMs === null) return;
    this.timer = setTimeout(() => {
      this.answers.advance(this.options.now());
      this.expire();
    }, Math.max(0, atMs - this.options.now()));
    this.timer.unref();
  }
}

/** A document is for itself, an object for who asks: the document, or the style sheet, as a browser does not say for which document. */
function partitionOf(url: string, headers: RawHeaders): string {
  const referer = valueOf(headers, 'referer');
  return isDocument(headers) || referer === null || !URL.canParse(referer) ? originOf(url) : originOf(referer);
}

function originOf(url: string): string {
  return new URL(url).origin;
}

/** Browsers ask so for documents of windows and frames only (Upgrade Insecure Requests, section 3.2.1). */
function isDocument(headers: RawHeaders): boolean {
  return valueOf(headers, 'upgrade-insecure-requests') === '1' && /^text\/html\b/.test(valueOf(headers, 'accept') ?? '');
}
