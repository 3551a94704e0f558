import { LRUCache } from 'lru-cache';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { Expected, ExpectedObject } from '../../../shared/src/memory/neededObject.ts';
import { afterOrigin, originOf } from '../../../shared/src/page/origin.ts';
import type { ReferrerPolicy } from '../../../shared/src/page/referrerPolicy.ts';
import type { PushKinds } from '../../../shared/src/relay/wire.ts';
import type { Recording } from '../../../shared/src/requests/recording.ts';
import { isAttachment } from '../../../shared/src/node/http/mediaType.ts';
import { valueOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf } from '../../../shared/src/node/http/requestFields.ts';
import { ContentPolicies } from '../../../shared/src/node/reading/contentPolicy.ts';
import type { readDocument, readSheet } from '../../../shared/src/node/reading/bodyReaders.ts';
import { readStyleUrls } from '../../../shared/src/node/reading/styleUrls.ts';
import type { DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import type { SpoolOptions } from '../spool/spooledBody.ts';
import { passing, type Fetch, type ResponseSink, type UpstreamRequest } from '../upstream/fetch.ts';
import { AskedImages } from './askedImages.ts';
import { AskedOrigins, parseStrictTransport, tellsCookies } from './askedOrigins.ts';
import { BrowserCache } from './browserCache.ts';
import type { Waste } from './claimRecord.ts';
import { DocumentNames, type NamesReader } from './documentNames.ts';
import { expectedFrom, importedBy, namedBy, referrerPolicyOf, type Foreseen, type Page } from '../../../shared/src/node/foresight/foreseen.ts';
import { LayoutSites } from './layoutSites.ts';
import { NamedServers } from './namedServers.ts';
import type { ObjectRanks } from './objectRanks.ts';
import { PredictedAnswer } from './predictedAnswer.ts';
import { PredictedAnswers, type PredictedRequest, type Prediction, type PredictionLimits } from './predictedAnswers.ts';
import { asPromised, promisedFor, type PromisedCookie } from './promisedRequests.ts';
import { destinationOf, predictedHeaders } from '../../../shared/src/node/foresight/predictedHeaders.ts';
import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';
import { refererFor } from '../../../shared/src/node/foresight/referrer.ts';
import { WaitingObjects } from './waitingObjects.ts';
import { bypassesCache, isDocument, isPrefetch, isThirdPartyFrame, mayBeThirdPartyFrame, partitionOf } from './browserRequest.ts';
import { inTurns, kindOf, partitionOfObject, seenRequestOf, type Turns } from './rememberedRequests.ts';
import { setsCookies } from './requestMatch.ts';
import { SeenVisits } from './seenVisits.ts';
import { ServerCookies } from './serverCookies.ts';

export interface PredictorOptions {
  readonly fetch: (request: UpstreamRequest, sink: ResponseSink) => Fetch;
  readonly ranks: ObjectRanks;
  /** Whether the link is so slow that the browser will not rather ask by itself. */
  readonly isWorthwhile: () => boolean;
  /** What documents and style sheets name. */
  readonly readDocument: typeof readDocument;
  readonly readSheet: typeof readSheet;
  /** A document is asked for there. */
  readonly navigated: (origin: string) => unknown;
  /** There are to be so many connections to a server that a page names. */
  readonly connect: (origin: string, connections: number) => void;
  /** Whether the browser asks this server in tunnels, of which nobody sees what is asked. */
  readonly isClosed: (origin: string) => boolean;
  /** Whether images of this page are wanted only when somebody comes near them. */
  readonly savesData: (pageUrl: string) => boolean;
  /** Whether a relay makes the requests to this server; of none by default. */
  readonly isRelayed?: (origin: string) => boolean;
  /** Whether a relay may send what a document names before it is asked for it; not by default. */
  readonly takesPushes?: boolean;
  /** What a relay has promised; nothing by default. */
  readonly promisedCookie?: PromisedCookie;
  /** Whether scripts of other sites that nothing waits for come behind what is in view; so by default. */
  readonly yieldsScripts?: boolean;
  /** What a visit to this page is expected to need; empty when nothing is known. */
  readonly expected: (url: string) => Expected;
  /** Of the browser, whose cache it is. */
  readonly profile: string;
  /** So much comes in a round trip of the link. */
  readonly bdpBytes: () => number;
  readonly spool: SpoolOptions;
  /** Hears of what is named; nobody by default. */
  readonly recording?: Pick<Recording, 'recorder'>;
  /** Runs what may not harm the browser's own request, whatever goes wrong with it. */
  readonly carefully: (foresee: () => void) => void;
  /** The same, when the browser has what it waits for, in order. */
  readonly readLater: (read: () => void) => void;
  /** Milliseconds of a monotonic clock, and of the wall clock. */
  readonly now: () => number;
  readonly wallNow: () => number;
}

const MEBIBYTE = 1024 * 1024;
/** A link on which nothing moves for half a minute has lost the page. */
const LIMITS: PredictionLimits = { bytes: 32 * MEBIBYTE, partitionBytes: 12 * MEBIBYTE, count: 600, partitionCount: 250, quietMs: 30_000, loadMs: 300_000 };
/** What was asked for lately, by whatever document, another one will get from the browser's memory. */
const RECENT_MS = 30_000;
const MAX_RECENT = 5_000;
const MAX_WORKERS = 1_000;
const OK = 200;
const NOT_MODIFIED = 304;

/**
 * Transparent prefetching (TP, design.md): asks servers for what a page's HTML and its style sheets' imports name for
 * certain, and for what earlier visits needed, before the browser does; the browser's own request, when it comes and is
 * the same, gets that answer. Everything else goes on as it was asked. docs/architecture.md, "Foresight", says what is
 * asked for and what is not.
 */
export class Predictor {
  private readonly options: PredictorOptions;
  private readonly answers: PredictedAnswers<PredictedAnswer>;
  /** When it was asked for, by URL. */
  private readonly recent: LRUCache<string, number>;
  private readonly asked = new AskedOrigins();
  private readonly serverCookies = new ServerCookies();
  private readonly waiting: WaitingObjects;
  private readonly servers: NamedServers;
  private readonly layoutSites: LayoutSites;
  /** Origins that have a service worker. */
  private readonly workers = new LRUCache<string, true>({ max: MAX_WORKERS });
  private readonly cache: BrowserCache;
  private readonly documents = new DocumentNames();
  private readonly askedImages = new AskedImages();
  /** What came this way, asked ahead or not, of pages that the memory is told of. */
  readonly visits: SeenVisits;
  private readonly promisedCookie: PromisedCookie;
  private loads = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: PredictorOptions) {
    this.options = options;
    this.promisedCookie = options.promisedCookie ?? (() => undefined);
    this.cache = new BrowserCache(options.now, options.wallNow, options.profile);
    this.visits = new SeenVisits(this.cache, this.documents, options.isClosed);
    this.recent = new LRUCache({ max: MAX_RECENT, ttl: LIMITS.loadMs, perf: { now: options.now } });
    this.waiting = new WaitingObjects(LIMITS.loadMs, options.now);
    this.servers = new NamedServers(options.connect, LIMITS.loadMs, options.now);
    this.layoutSites = new LayoutSites(LIMITS.loadMs, options.now);
    this.answers = new PredictedAnswers(LIMITS, this.serverCookies, (answer) => answer.drop());
  }

  get waste(): Readonly<Waste> {
    return this.answers.waste;
  }

  /** As the way to the servers that it stands before. */
  fetch(asked: UpstreamRequest, sink: ResponseSink): Fetch {
    const { method, headers, origin } = asked;
    const url = `${origin}${asked.path}`;
    const partition = partitionOf(url, headers);
    const isBeside = this.options.yieldsScripts !== false && this.layoutSites.isBeside(partition, origin, headers);
    const request = isBeside ? { ...asked, fetchClass: FetchClass.unplaced } : asked;
    if (!isDocument(headers)) {
      this.reviseCookies(partition, asked);
      this.adopt(request, url, partition);
    }
    const claim = this.answers.claim({ method, url, partition, headers }, this.options.now());
    const noting = this.noting(request, url, partition, this.readingSheet(headers, url, partition, sink));
    const fetchItself = (): Fetch => this.fetchItself(request, url, partition, noting);
    // what a page of this origin names is its worker's to answer from now on (Service Workers, "Update")
    if (valuesOf(headers, 'service-worker').length > 0) this.workers.set(origin, true);
    if (isDocument(headers)) this.visits.begun(url);
    else {
      this.asked.note(partition, asked, this.options.now());
      this.servers.asked(partition, origin);
    }
    const fetch = claim === null ? fetchItself() : claim.answer.claim(noting, (head) => claim.suits(head), fetchItself);
    // of what is no image the document has said more than its request does; but what a browser asks for, deferred or not,
    // may make the first screen
    if (claim !== null) fetch.await(request.fetchClass === FetchClass.layout ? FetchClass.inView : request.fetchClass, valueOf(headers, 'priority'));
    // the browser has shown that it asks this origin, and with which cookies: what its page names there is asked for now
    const waiting = isDocument(headers) ? null : this.waiting.take(partition, origin);
    if (waiting !== null) this.options.carefully(() => this.foresee(waiting.page, waiting.objects));
    return fetch;
  }

  /** What earlier helpers have learnt of the browser's cache, of objects that this page is expected to need. */
  remember(pageUrl: string, objects: readonly ExpectedObject[]): void {
    for (const { url, request, cached } of objects) if (cached !== null) this.cache.remembered(originOf(pageUrl), partitionOfObject(pageUrl, request), url, cached);
  }

  /** Whether a visit to this page will ask this server for anything, as far as the browser's cache is known. */
  willAsk(pageUrl: string, origin: string, { objects }: Expected): boolean {
    const theirs = objects.filter(({ url }) => originOf(url) === origin);
    const isFresh = ({ url, request }: ExpectedObject): boolean => this.cache.isFresh(partitionOfObject(pageUrl, request), url);
    return origin === originOf(pageUrl) || theirs.length === 0 || !theirs.every(isFresh);
  }

  /** As if the browser had asked no server for pages of this origin: what they name elsewhere waits until it has. */
  forgetAsked(pageOrigin: string): void {
    this.asked.forget(pageOrigin);
  }

  /** The browser turns http: into https: for these hosts. */
  upgraded(hosts: readonly string[]): void {
    for (const host of hosts) this.asked.upgraded(host, false);
  }

  /**
   * Of a page of an origin that the browser shows a page of: the cookies that it has last sent there since this time,
   * undefined when it has asked for nothing.
   *
   * @returns null when it would not ask the server for this page, or nobody knows with which cookies
   */
  nextPage(url: string, sinceMs: number): { readonly cookie: string | null | undefined } | null {
    const origin = originOf(url);
    const isTheBrowsers = !this.options.isWorthwhile() || this.wasAsked(url) || this.cache.has(origin, url) || this.workers.has(origin);
    return isTheBrowsers || this.asked.isUnclear(origin, origin, sinceMs) ? null : { cookie: this.asked.cookie(origin, origin, sinceMs) };
  }

  /** What would be foreseen of these if the browser asked for their page now, behind all that it waits for. */
  requestsFor(page: Page, objects: readonly Foreseen[]): UpstreamRequest[] {
    return objects.flatMap((foreseen) => {
      if (!this.options.isWorthwhile() || this.isRecent(page, foreseen.url)) return [];
      const request = this.requestFor(page, foreseen, null);
      return request !== null && this.mayForesee(page, request) ? [behindAll(this.upstreamRequest(request, foreseen))] : [];
    });
  }

  /** Whether something that the relay promises may be asked for yet: of a page's own site, and neither in the browser's cache nor asked for lately. */
  wants({ url, fields }: { readonly url: string; readonly fields: RawHeaders }): boolean {
    const origin = originOf(url);
    const partition = partitionOf(url, fields);
    const isTheBrowsers = this.wasAsked(url) || this.cache.has(partition, url) || this.workers.has(origin) || this.options.isClosed(origin) || this.asked.isUpgraded(origin);
    return !isTheBrowsers && siteOf(partition) === siteOf(origin) && this.answers.mayPut({ partition, url, direction: `${partition} ${origin}` });
  }

  /** The browser is about to ask for these images: it does when it has a connection for each. By a relay, which keeps the order, they are asked for at once. */
  asking(images: readonly string[]): void {
    for (const url of images) {
      const foreseen = this.isRelayed(originOf(url)) ? this.askedImages.foreseen(url) : null;
      if (foreseen !== null) this.foresee(foreseen.page, [foreseen.object]);
    }
  }

  close(): void {
    clearTimeout(this.timer);
    this.answers.close();
  }

  private isRelayed(origin: string): boolean {
    return this.options.isRelayed?.(origin) === true;
  }

  /** What is foreseen of an origin goes with the cookies that the browser sends there now: a script of the page may have changed them. */
  private reviseCookies(partition: string, { origin, path, headers }: UpstreamRequest): void {
    const cookie = cookieOf(headers);
    const isTold = tellsCookies(path, headers) && this.asked.cookie(partition, origin, -Infinity) !== cookie;
    // to other sites nothing is foreseen with cookies
    if (isTold && (cookie === null || siteOf(partition) === siteOf(origin))) this.answers.cookiesSent(partition, origin, cookie, (answer, revised) => answer.revise(revised));
  }

  /** What the relay has promised is given to the browser as what was foreseen is. */
  private adopt(asked: UpstreamRequest, url: string, partition: string): void {
    const request = promisedFor(asked, url, partition, this.promisedCookie);
    const answer = request && this.answerTo(null, request, asked.index);
    if (request === null || answer === null) return;
    this.cache.asked(partition, url, asked.headers);
    this.recent.set(url, this.options.now());
    answer.asked(this.options.fetch({ ...asked, headers: request.headers, browser: null, isForeseen: true }, answer), () => undefined);
  }

  private fetchItself(request: UpstreamRequest, url: string, partition: string, sink: ResponseSink): Fetch {
    this.cache.asked(partition, url, request.headers);
    this.recent.set(url, this.options.now());
    const { method, headers, origin } = request;
    if (method !== 'GET' || !isDocument(headers) || isThirdPartyFrame(headers) || this.workers.has(origin)) return this.options.fetch(request, sink);
    this.options.navigated(origin);
    this.servers.navigated(origin);
    this.layoutSites.navigated(origin);
    const [load, startMs, isForced] = [this.loads++, this.options.now(), bypassesCache(headers)];
    const expected = this.options.expected(url);
    const names = this.documents.reader(url, expected.objects);
    const pageFor = (answer: RawHeaders): Page => {
      const navigation = { url, request: headers, answer };
      return { navigation, policies: new ContentPolicies(url, valuesOf(answer, 'content-security-policy')), load, startMs, bypassesCache: isForced, unnamed: names.unnamed };
    };
    this.remember(url, expected.objects);
    const remembered = inTurns(expected, origin, this.options.bdpBytes(), (server) => this.isRelayed(origin) && this.isRelayed(server), (object) => !isForced && this.cache.has(partitionOfObject(url, object.request), object.url));
    const pushes = this.pushesFor(request, url, expected);
    const fetch = this.options.fetch(pushes === null ? request : { ...request, pushes }, this.reading(pageFor, sink, remembered, names));
    this.foreseeRemembered(pageFor([]), remembered.beside, expected.document.referrerPolicy);
    return fetch;
  }

  /**
   * What of a page the relay may send with its document. Only this end knows what the browser has in its cache: where that has some of what earlier visits needed of the page's own server, it will
   * have most of the rest.
   */
  private pushesFor({ origin, headers }: UpstreamRequest, url: string, { objects }: Expected): PushKinds | null {
    if (this.options.takesPushes !== true || !this.options.isWorthwhile() || mayBeThirdPartyFrame(url, headers)) return null;
    const isCached = ({ url: needed, request }: ExpectedObject): boolean => originOf(needed) === origin && this.cache.has(partitionOfObject(url, request), needed);
    if (!bypassesCache(headers) && objects.some(isCached)) return null;
    return this.options.savesData(url) ? 'layout' : 'all';
  }

  /** What the browser is given is in its cache from then on. */
  private noting({ method, origin, headers: request }: UpstreamRequest, url: string, partition: string, sink: ResponseSink): ResponseSink {
    let [bytes, hasSetCookies, isUnchanged, referrerPolicy]: [number, boolean, boolean, ReferrerPolicy | null] = [0, false, false, null];
    return {
      ...passing(sink),
      started: (status, statusText, headers) => {
        if (method === 'GET') this.cache.given(partition, url, status, headers);
        [hasSetCookies, isUnchanged, referrerPolicy] = [setsCookies(headers), status === NOT_MODIFIED, referrerPolicyOf(headers)];
        if (hasSetCookies) this.asked.cookiesSet(partition, origin, this.options.now());
        this.serverCookies.answered(origin, headers);
        const strict = origin.startsWith('https:') ? parseStrictTransport(valuesOf(headers, 'strict-transport-security')[0]) : null;
        if (strict !== null) this.asked.upgraded(new URL(origin).hostname, strict.includesSubdomains);
        sink.started(status, statusText, headers);
      },
      data: (chunk) => {
        this.answers.moved(partition, this.options.now());
        bytes += chunk.length;
        return sink.data(chunk);
      },
      ended: (trailers) => {
        // without a body it says nothing of the size
        const isTelling = method === 'GET' && !isUnchanged;
        this.visits.ended(url, isTelling ? { request: seenRequestOf(request), kind: kindOf(request), document: { bytes, setsCookies: hasSetCookies, referrerPolicy } } : null);
        sink.ended(trailers);
      },
    };
  }

  /** A style sheet that a relay asks for is read as it passes, when the browser has it. */
  private readingSheet(request: RawHeaders, url: string, partition: string, sink: ResponseSink): ResponseSink {
    const page = kindOf(request) === 'style' && this.isRelayed(originOf(url)) ? this.askedImages.askedSheet(partition, url) : null;
    if (page === null) return sink;
    let reader: DecodedPeek | null = null;
    return {
      ...passing(sink),
      started: (status, statusText, headers) => {
        const sheet = { page, url, referrerPolicy: referrerPolicyOf(headers) };
        reader = readStyleUrls(url, status, headers, (named) => this.askedImages.read(sheet, named));
        sink.started(status, statusText, headers);
      },
      data: (chunk) => {
        const wait = sink.data(chunk);
        this.options.readLater(() => reader?.write(chunk));
        return wait;
      },
      ended: (trailers) => {
        sink.ended(trailers);
        this.options.readLater(() => reader?.end());
      },
      failed: (error, wasSent) => {
        reader?.close();
        sink.failed(error, wasSent);
      },
    };
  }

  /**
   * A document is read as it passes.
   *
   * @param remembered foreseen as it begins to come, and when it has come
   */
  private reading(pageFor: (answer: RawHeaders) => Page, sink: ResponseSink, remembered: Turns, names: NamesReader): ResponseSink {
    let reader: DecodedPeek | null = null;
    let styles: DecodedPeek | null = null;
    let foreseeRest = (): void => undefined;
    const begin = (status: number, headers: RawHeaders): void => {
      // nobody shows it
      if (isAttachment(headers)) return;
      const page = pageFor(headers);
      this.askedImages.navigated(page);
      // whether these will be sent only the browser knows
      if (setsCookies(headers) && mayBeThirdPartyFrame(page.navigation.url, page.navigation.request)) return;
      const policy = referrerPolicyOf(headers);
      if (status === OK) {
        this.foreseeRemembered(page, remembered.begun, policy);
        foreseeRest = () => this.foreseeRemembered(page, remembered.ended, policy);
      }
      const { url } = page.navigation;
      if (this.isRelayed(originOf(url))) styles = readStyleUrls(url, status, headers, (named) => this.askedImages.read({ page, url, referrerPolicy: policy }, named));
      reader = this.options.readDocument(page.navigation.url, page.policies, status, headers, (found, isWhole) => {
        if (found.some(({ referrerPolicy }) => referrerPolicy !== null)) this.askedImages.hasOtherPolicies(page);
        this.foresee(page, found.map((each) => namedBy(page, each, policy)));
        names.read(found, isWhole);
        for (const unnamed of names.unnamed) this.answers.unnamed(unnamed, page.load);
      });
    };
    return {
      ...passing(sink),
      started: (status, statusText, headers) => {
        this.options.carefully(() => begin(status, headers));
        sink.started(status, statusText, headers);
      },
      data: (chunk) => {
        const wait = sink.data(chunk);
        // the browser has it first: reading takes up to 30 ms
        this.options.readLater(() => {
          reader?.write(chunk);
          styles?.write(chunk);
        });
        return wait;
      },
      ended: (trailers) => {
        sink.ended(trailers);
        this.options.readLater(() => {
          styles?.end();
          if (reader === null) foreseeRest();
          // what the document no longer names is known when it is decoded to its end
          else reader.end(() => this.options.readLater(foreseeRest));
        });
      },
      failed: (error, wasSent) => {
        reader?.close();
        styles?.close();
        sink.failed(error, wasSent);
      },
    };
  }

  private foreseeRemembered(page: Page, objects: readonly ExpectedObject[], policy: ReferrerPolicy | null): void {
    this.options.carefully(() => this.foresee(page, objects.flatMap((needed) => expectedFrom(page, needed, policy))));
  }

  private foresee(page: Page, objects: readonly Foreseen[]): void {
    for (const object of objects) {
      const isRemembered = object.namedBy === 'memory';
      if (isRemembered && page.unnamed.has(object.url)) continue;
      this.options.recording?.recorder?.named(object.url, object.namedBy);
      this.predict(page, object);
      this.answers.named(object.url, isRemembered ? page.load : null);
    }
    this.expire();
  }

  private predict(page: Page, foreseen: Foreseen): void {
    if (!this.options.isWorthwhile() || this.isRecent(page, foreseen.url) || this.isLeft(page, foreseen)) return;
    const worded = this.requestFor(page, foreseen);
    if (worded === null || !this.mayForesee(page, worded)) return;
    const request = asPromised(worded, this.promisedCookie);
    const { url } = request;
    const made = this.upstreamRequest(request, foreseen);
    // of a page that the browser fetches ahead nothing comes before what the page in view needs; what it asks for itself goes as it says
    const upstreamRequest = isPrefetch(page.navigation.request) ? behindAll(made) : made;
    const answer = this.answerTo(page, request, upstreamRequest.index);
    if (answer === null) return;
    this.recent.set(url, this.options.now());
    const fetch = this.options.fetch(upstreamRequest, answer);
    answer.asked(fetch, this.options.ranks.watch(url, (ranked) => fetch.rank(ranked)));
  }

  /** Where an image stands that a document names nobody knows yet; what the memory names was in view before. */
  private isLeft({ navigation }: Page, { kind, namedBy: source }: Foreseen): boolean {
    return kind === 'image' && source === 'document' && this.options.savesData(navigation.url);
  }

  private mayForesee(page: Page, request: PredictedRequest): boolean {
    const isCached = !page.bypassesCache && this.cache.has(request.partition, request.url);
    return !this.options.isClosed(originOf(request.url)) && this.answers.mayPut(request) && !isCached;
  }

  /** Whether the browser will take it from its memory, or has it on its way however long the page takes; a page that is loaded past the cache only what it has asked for itself. */
  private isRecent({ bypassesCache: isForced, startMs }: Page, url: string): boolean {
    return this.wasAsked(url, startMs) || (!isForced && this.wasAsked(url));
  }

  private wasAsked(url: string, sinceMs = this.options.now() - RECENT_MS): boolean {
    return (this.recent.get(url) ?? -Infinity) >= sinceMs;
  }

  private upstreamRequest({ url, headers }: PredictedRequest, { kind, index, fetchClass, bytes, expectedPriority }: Foreseen): UpstreamRequest {
    const origin = originOf(url);
    const known = this.options.ranks.describe(url, headers);
    // a plan knows better
    const ranked = kind === 'image' && known.fetchClass !== FetchClass.unplaced ? known.fetchClass : fetchClass;
    return { method: 'GET', origin, path: afterOrigin(url), headers, body: null, browser: null, isForeseen: true, ...known, index: index ?? known.index, bytes: bytes ?? known.bytes, fetchClass: ranked, expectedPriority };
  }

  /** @returns null when the browser will ask in a way that is not known, or not yet */
  private requestFor(page: Page, foreseen: Foreseen, waiting: WaitingObjects | null = this.waiting): PredictedRequest | null {
    const { navigation, load } = page;
    const { url, kind, fetchClass, mode, referrer, referrerPolicy } = foreseen;
    const [pageOrigin, origin] = [originOf(navigation.url), originOf(url)];
    const referer = refererFor(referrer, url, referrerPolicy);
    const from = referer ?? (mode.cors ? `${pageOrigin}/` : null);
    // who asks without saying for whom can be anybody
    if (from === null && origin !== pageOrigin) return null;
    const partition = from === null ? origin : originOf(from);
    // what a sheet names at its own server is asked of one that the page has asked for the sheet
    const asker = partition === origin ? pageOrigin : partition;
    const isAsked = this.asked.has(asker, origin);
    const before = isAsked || origin === pageOrigin || this.asked.isUpgraded(origin) ? null : foreseen.before;
    const cookie = before === null ? this.asked.cookie(asker, origin, origin === pageOrigin ? page.startMs : -Infinity) : null;
    const site = before?.site ?? (asker === pageOrigin ? this.asked.site(asker, origin) : null);
    const headers = origin === pageOrigin || isAsked || before !== null ? predictedHeaders(navigation, foreseen, this.options.wallNow(), cookie, site) : null;
    if (headers === null) {
      if (cookie === undefined && waiting !== null) {
        const isLayoutOfClearPage = fetchClass === FetchClass.layout && asker.startsWith('http:');
        this.options.recording?.recorder?.deferred(url);
        waiting.add(asker, origin, page, foreseen);
        // images of http: would come beside layout files, and nothing stops what a server has sent (ADR 46)
        if (origin.startsWith('https:') || isLayoutOfClearPage) this.servers.named(asker, origin);
      }
      return null;
    }
    const direction = `${pageOrigin} ${origin}`;
    return { url, partition, page: pageOrigin, direction, load, headers, mode, destination: destinationOf(kind), isPromised: false };
  }

  /** @param page null where what a style sheet imports is left to the browser @returns null when it may not be kept */
  private answerTo(page: Page | null, request: PredictedRequest, index: number): PredictedAnswer | null {
    const { url, headers, destination } = request;
    const { ranks, spool, now } = this.options;
    let prediction: Prediction<PredictedAnswer> | null = null;
    let sheet: DecodedPeek | null = null;
    const told = (tell: (made: Prediction<PredictedAnswer>) => void): void => {
      if (prediction !== null) tell(prediction);
    };
    const answer = new PredictedAnswer(spool, {
      started: (head) => {
        told((made) => this.answers.started(made, head));
        ranks.answered(url, headers, head.headers);
        if (destination !== 'style' || page === null) return;
        const source = { url, referrerPolicy: referrerPolicyOf(head.headers), index };
        sheet = this.options.readSheet(url, head.status, head.headers, (imports) => this.foresee(page, importedBy(page, source, imports)));
      },
      received: (chunk) => {
        told((made) => this.answers.received(made, chunk.length, now()));
        sheet?.write(chunk);
      },
      ended: () => {
        sheet?.end();
      },
      failed: () => {
        told((made) => this.answers.failed(made));
        sheet?.close();
      },
    });
    prediction = this.answers.put(request, answer, now());
    return prediction === null ? null : answer;
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

function behindAll(request: UpstreamRequest): UpstreamRequest {
  return { ...request, fetchClass: FetchClass.undisplayed, expectedPriority: null };
}
