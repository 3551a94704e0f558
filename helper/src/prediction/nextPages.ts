import { LRUCache } from 'lru-cache';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { ExpectedObject } from '../../../shared/src/memory/neededObject.ts';
import { afterOrigin, originOf } from '../../../shared/src/page/origin.ts';
import { lengthOf } from '../../../shared/src/node/http/contentLength.ts';
import { isAttachment, mediaTypeOf } from '../../../shared/src/node/http/mediaType.ts';
import { isSafe } from '../../../shared/src/node/http/methods.ts';
import { valueOf, valuesOf, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { ContentPolicies } from '../../../shared/src/node/reading/contentPolicy.ts';
import { readDocument } from '../../../shared/src/node/reading/bodyReaders.ts';
import type { DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import type { SpoolOptions } from '../spool/spooledBody.ts';
import { passing, type Fetch, type ResponseSink, type UpstreamRequest } from '../upstream/fetch.ts';
import { isDocument } from './browserRequest.ts';
import { expectedFrom, namedBy, referrerPolicyOf, type Foreseen, type Page } from '../../../shared/src/node/foresight/foreseen.ts';
import { mayFetchLinked } from './linkedPage.ts';
import { navigationHeaders, type FollowedLink, type VisitedPage } from './navigationHeaders.ts';
import { PredictedAnswer } from './predictedAnswer.ts';
import type { Predictor } from './predictor.ts';
import { isEqualRequest, setsCookies, suits, type AnswerHead } from './requestMatch.ts';
import { UnclaimedBudget, type Spending } from './unclaimedBudget.ts';

export interface NextPagesOptions {
  readonly fetch: (request: UpstreamRequest, sink: ResponseSink) => Fetch;
  /** What the browser has asked for, and how. */
  readonly predictor: () => Pick<Predictor, 'nextPage' | 'requestsFor'>;
  readonly spool: SpoolOptions;
  /** Calls when what waits for an event has been served. */
  readonly readLater: (read: () => void) => void;
  /** Milliseconds of a monotonic clock, and of the wall clock. */
  readonly now: () => number;
  readonly wallNow: () => number;
}

/** Fetched, or being fetched, and asked for by nobody yet. */
interface Kept {
  readonly request: UpstreamRequest;
  readonly answer: PredictedAnswer;
  readonly spending: Spending;
  /** Once the page is opened. */
  readonly openedClass: FetchClass;
  fetch: Fetch | null;
  head: AnswerHead | null;
  /** Of a document: URLs of what its first screen needs, and was asked for. */
  readonly needs: string[];
  /** Of a document: images of unknown place among them. */
  guesses: number;
}

/** Hears what comes of a document. */
interface PageWatch {
  started(head: AnswerHead, page: Kept): void;
  received(chunk: Buffer): void;
  ended(): void;
  failed(): void;
}

const LIMITS = { documents: 2, bytes: 300_000, windowMs: 3_600_000 };
/** Who has rested on a link so long ago may have changed by now what the page would say. */
const KEPT_MS = 30_000;
const MAX_KEPT = 100;
const MAX_VISITED = 200;
const MAX_ORIGINS = 1_000;
/** Where the browser has asked in another way so often, it will again. */
const MAX_MISJUDGED = 2;
/** Of a page, images whose place is not known: as many as Chromium takes for its first screen before it is laid out. */
const MAX_GUESSES = 5;
/** Of a page, before its length is known. */
const DOCUMENT_BYTES = 30_000;
const NOT_MODIFIED = 304;
/** What a server says to a prefetch, and would say to anybody. */
const GIVEN_STATUS: ReadonlySet<number> = new Set([200, 301, 302, 303, 307, 308]);

/**
 * TP over navigations: fetches the page that a link leads to before it is followed, and the layout files of its first
 * screen; the first request that is the same gets each answer. It stands behind the predictor, which treats the page as
 * any other when the browser asks for it. docs/architecture.md, "The next page", says what is fetched and what is not.
 */
export class NextPages {
  private readonly options: NextPagesOptions;
  private readonly budget = new UnclaimedBudget(LIMITS);
  private readonly visited = new LRUCache<string, VisitedPage>({ max: MAX_VISITED });
  private readonly misjudged = new LRUCache<string, number>({ max: MAX_ORIGINS });
  /** By URL; what is taken out is somebody's. */
  private readonly kept: LRUCache<string, Kept>;

  constructor(options: NextPagesOptions) {
    this.options = options;
    this.kept = new LRUCache({ max: MAX_KEPT, ttl: KEPT_MS, ttlAutopurge: true, perf: { now: options.now }, disposeAfter: (kept, _url, reason) => reason !== 'delete' && this.dropped(kept) });
  }

  /** Of what nobody has asked for in the last hour. */
  get unclaimed(): { readonly documents: number; readonly bytes: number } {
    const { documents, bytes } = this.budget.unclaimed(this.options.now());
    return { documents, bytes };
  }

  /** As the way to the servers that it stands before. */
  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch {
    const { method, origin, path, headers, isForeseen } = request;
    // it may change what any page says
    if (!isSafe(method)) this.dropAllOf(origin);
    const url = `${origin}${path}`;
    const isPage = method === 'GET' && !isForeseen && isDocument(headers);
    const into = isPage ? this.noting(url, headers, sink) : sink;
    const kept = method === 'GET' ? this.claim(url, headers) : null;
    if (kept === null) return this.options.fetch(request, into);
    const fetch = kept.answer.claim(into, (head) => this.give(head, headers, kept), () => this.options.fetch(request, into));
    // servers are told of this class, too
    if (isForeseen) fetch.rank(kept.openedClass);
    else fetch.await(FetchClass.inView, valueOf(headers, 'priority'));
    return fetch;
  }

  /** Whether the browser has asked for this page with the wish to save data. */
  savesData(page: string): boolean {
    return isSaving(this.visited.get(page)?.navigation.request ?? []);
  }

  /** Somebody is about to follow this link. @param expected what is remembered of the page that it leads to */
  prepare(link: FollowedLink, expected: readonly ExpectedObject[]): void {
    const { page, url } = link;
    const origin = originOf(url);
    const visited = this.visited.get(page);
    if (visited === undefined || this.kept.has(url) || (this.misjudged.get(origin) ?? 0) >= MAX_MISJUDGED || !mayPrefetchFrom(visited) || !mayFetchLinked(page, url)) return;
    const asked = this.options.predictor().nextPage(url, visited.startMs);
    const predicted = asked && navigationHeaders(visited, link, this.options.wallNow(), asked.cookie);
    if (predicted === null) return;
    const headers = prefetching(predicted);
    let reader: DecodedPeek | null = null;
    this.ask({ method: 'GET', origin, path: afterOrigin(url), headers, body: null, browser: null, isForeseen: true, fetchClass: FetchClass.undisplayed, index: 0, bytes: DOCUMENT_BYTES }, {
      started: ({ status, headers: answer }, kept) => {
        const pageOf = { navigation: { url, request: predicted, answer }, policies: new ContentPolicies(url, valuesOf(answer, 'content-security-policy')), load: 0, startMs: this.options.now(), bypassesCache: false, unnamed: new Set<string>() };
        const policy = referrerPolicyOf(answer);
        // other servers only as the browser has asked them: nobody has opened this page
        this.askForNeeds(kept, pageOf, expected.flatMap((needed) => expectedFrom(pageOf, needed, policy)).map((each) => ({ ...each, before: null })));
        reader = readDocument(url, pageOf.policies, status, answer, (found) => this.askForNeeds(kept, pageOf, found.map((each) => namedBy(pageOf, each, policy))));
      },
      received: (chunk) => this.options.readLater(() => reader?.write(chunk)),
      ended: () => this.options.readLater(() => reader?.end()),
      failed: () => reader?.close(),
    });
  }

  close(): void {
    for (const url of [...this.kept.keys()]) this.drop(url);
  }

  /** What makes the first screen of a page that is kept: what lays it out, images that are remembered, and the first that it names. */
  private askForNeeds(page: Kept, of: Page, objects: readonly Foreseen[]): void {
    // what the browser has asked for is the predictor's
    if (this.kept.peek(urlOf(page)) !== page) return;
    for (const foreseen of objects) {
      const isGuess = foreseen.fetchClass > FetchClass.inView;
      const isNeeded = !isGuess || (foreseen.kind === 'image' && page.guesses < MAX_GUESSES);
      const [request] = isNeeded && !this.kept.has(foreseen.url) ? this.options.predictor().requestsFor(of, [foreseen]) : [];
      if (request === undefined || !this.ask({ ...request, headers: prefetching(request.headers) }, null, isGuess ? FetchClass.unplaced : FetchClass.inView)) continue;
      page.needs.push(urlOf({ request }));
      if (isGuess) page.guesses += 1;
    }
  }

  /** @param watch of a document @returns whether there is room for it */
  private ask(request: UpstreamRequest, watch: PageWatch | null, openedClass: FetchClass = FetchClass.inView): boolean {
    const spending = this.budget.begin(watch !== null, request.bytes, this.options.now());
    if (spending === null) return false;
    const url = urlOf({ request });
    const dropIfUnclaimed = (): void => {
      if (this.kept.peek(url) === kept) this.drop(url);
    };
    const answer = new PredictedAnswer(this.options.spool, {
      started: (head) => {
        kept.head = head;
        const length = lengthOf(head.headers) ?? request.bytes;
        const isWanted = suits(head, request.headers, request.headers) && (watch !== null ? isPageAnswer(head) : head.status === 200 && !setsCookies(head.headers));
        if (!isWanted || !this.budget.announced(spending, length, this.options.now())) dropIfUnclaimed();
        else watch?.started(head, kept);
      },
      received: (chunk) => {
        if (!this.budget.received(spending, chunk.length, this.options.now())) dropIfUnclaimed();
        // what is claimed is read by the predictor
        else if (this.kept.peek(url) === kept) watch?.received(chunk);
      },
      ended: () => {
        this.budget.ended(spending);
        watch?.ended();
      },
      failed: () => {
        watch?.failed();
        dropIfUnclaimed();
      },
    });
    const kept: Kept = { request, answer, spending, openedClass, fetch: null, head: null, needs: [], guesses: 0 };
    this.kept.set(url, kept);
    kept.fetch = this.options.fetch(request, answer);
    answer.asked(kept.fetch, () => undefined);
    return true;
  }

  /** What is kept for this request, once. What is kept of its URL for another one is not wanted any more. */
  private claim(url: string, headers: RawHeaders): Kept | null {
    const kept = this.kept.get(url);
    if (kept === undefined) return null;
    const { head, needs, request } = kept;
    if (!isEqualRequest(headers, request.headers) || (head !== null && !isGiven(head, headers, request.headers))) {
      this.misjudge(kept);
      this.drop(url);
      return null;
    }
    this.kept.delete(url);
    for (const need of needs) this.rankOpened(need);
    return kept;
  }

  private rankOpened(url: string): void {
    const kept = this.kept.peek(url);
    kept?.fetch?.rank(kept.openedClass);
  }

  /** The head of an answer that is claimed is there. @returns whether it is given; if not, it was in vain */
  private give(head: AnswerHead, headers: RawHeaders, kept: Kept): boolean {
    const isWanted = isGiven(head, headers, kept.request.headers);
    if (isWanted) this.budget.claimed(kept.spending);
    else this.misjudge(kept);
    return isWanted;
  }

  /** The browser asks for pages there in another way than was thought, or the server answers prefetches in another way. */
  private misjudge({ spending, request: { origin } }: Kept): void {
    if (spending.isDocument) this.misjudged.set(origin, (this.misjudged.get(origin) ?? 0) + 1);
  }

  private noting(url: string, request: RawHeaders, sink: ResponseSink): ResponseSink {
    const startMs = this.options.now();
    return {
      ...passing(sink),
      started: (status, statusText, headers) => {
        // what the browser has kept says the rest
        const kept = status === NOT_MODIFIED ? this.visited.peek(url)?.navigation.answer : [];
        if (kept !== undefined) this.visited.set(url, { navigation: { url, request, answer: [...headers, ...without(kept, 'set-cookie')] }, startMs });
        sink.started(status, statusText, headers);
      },
    };
  }

  private dropAllOf(origin: string): void {
    for (const [url, { request }] of [...this.kept]) if (request.origin === origin) this.drop(url);
  }

  private drop(url: string): void {
    const kept = this.kept.peek(url);
    if (kept === undefined) return;
    this.kept.delete(url);
    this.dropped(kept);
  }

  /** Nobody has asked for it. */
  private dropped({ answer, spending, request, head, needs }: Kept): void {
    this.budget.ended(spending);
    answer.drop();
    // of cookies that were set in vain the server knows and the browser does not
    if (head !== null && setsCookies(head.headers)) this.misjudged.set(request.origin, MAX_MISJUDGED);
    for (const need of needs) this.drop(need);
  }
}

function isGiven(head: AnswerHead, request: RawHeaders, prefetched: RawHeaders): boolean {
  return GIVEN_STATUS.has(head.status) && suits(head, request, prefetched);
}

function urlOf({ request: { origin, path } }: Pick<Kept, 'request'>): string {
  return `${origin}${path}`;
}

/** A server may answer otherwise, and count otherwise, what nobody may ever see (Fetch, "Sec-Purpose"). */
function prefetching(headers: RawHeaders): string[] {
  return [...headers, 'Sec-Purpose', 'prefetch'];
}

/** Whether links of this page are the helper's: its user does not save data, it has no rules of its own for them, and does not upgrade them. */
function mayPrefetchFrom({ navigation: { url, request, answer } }: VisitedPage): boolean {
  const upgrades = url.startsWith('http:') && valuesOf(answer, 'content-security-policy').some((policy) => /\bupgrade-insecure-requests\b/i.test(policy));
  return !upgrades && !isSaving(request) && valuesOf(answer, 'speculation-rules').length === 0;
}

function isSaving(request: RawHeaders): boolean {
  return valuesOf(request, 'save-data').length > 0;
}

const PAGE_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** A page, or where it is: no file, and nothing to keep. */
function isPageAnswer({ status, headers }: AnswerHead): boolean {
  return GIVEN_STATUS.has(status) && (status !== 200 || (PAGE_TYPES.has(mediaTypeOf(headers)) && !isAttachment(headers)));
}
