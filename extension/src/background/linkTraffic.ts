import { LinkEstimator, bdpBytes, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { ObjectSizes } from '../../../shared/src/estimation/objectSizes.ts';
import { TransferTable } from '../../../shared/src/estimation/transferTable.ts';
import { LAYOUT_MS, isHoldWorthwhile, isIcon, isSoonThere, plainOriginLimit, type LinkLoad, type OriginLoad, type RequestQueue } from '../../../shared/src/scheduling/releaseWindow.ts';
import type { DocumentKey } from '../platform/gate.ts';

/** Resource types as webRequest names them. */
type ResourceType = string;

/** Compressed sizes expected before a Content-Length is known, in bytes; medians of the recorded pages, rounded. */
const EXPECTED_BYTES: Readonly<Record<ResourceType, number>> = { main_frame: 20_000, stylesheet: 8_000, script: 12_000, font: 20_000 };
const OTHER_BYTES = 4_000;
/** What the first layout waits for (NSF report, section VI: HTML, CSS, JavaScript, fonts). */
const LAYOUT_TYPES: ReadonlySet<ResourceType> = new Set(['main_frame', 'stylesheet', 'script', 'font']);
/** Of these, what the first layout comes soon after: a document streams on. */
const BEFORE_LAYOUT_TYPES: ReadonlySet<ResourceType> = new Set(['stylesheet', 'script', 'font']);

interface OpenRequest {
  readonly tabId: number;
  /** Null for requests that the gate does not know. */
  readonly image: { readonly document: DocumentKey; readonly url: string } | null;
  /** What the first screen waits for, whatever its layout. */
  readonly isUrgent: boolean;
  readonly isBeforeLayout: boolean;
  /** Until when a released image's request must be seen; null once it is. */
  expectedUntilMs: number | null;
}

/** A page may give an image up while it is held, of which browsers tell nothing; its request never comes, and must not keep others waiting. */
const RELEASE_LIMIT_MS = 3_000;

/** All transfers of the browser over the one access link, and what they say of it. */
export class LinkTraffic {
  private readonly estimator = new LinkEstimator();
  private readonly transfers = new TransferTable();
  private readonly open = new Map<string, OpenRequest>();
  /** The last file that a layout waits for has ended: until then one may be told. */
  private layoutDueMs = 0;
  readonly imageSizes = new ObjectSizes();
  private readonly releasesAreAlike: boolean;

  /** @param releasesAreAlike whether the gate's releases carry no priority */
  constructor({ releasesAreAlike }: Pick<LinkLoad, 'releasesAreAlike'>) {
    this.releasesAreAlike = releasesAreAlike;
  }

  estimate(): LinkEstimate {
    return this.estimator.estimate();
  }

  /** Adds what an answer says of the link that has begun. */
  answered(sample: Parameters<LinkEstimator['answered']>[0]): void {
    this.estimator.answered(sample);
  }

  /** Adds what a finished transfer says of the link. */
  measured(sample: Parameters<LinkEstimator['add']>[0]): void {
    this.estimator.add(sample);
  }

  /** A handshake took so long. */
  roundTrip(rttMs: number, nowMs: number): void {
    this.estimator.roundTrip(rttMs, nowMs);
  }

  /** The first answer of an origin has come, so long after the first request to it. */
  answeredFirst(url: string, elapsedMs: number): void {
    if (url.startsWith('https:')) this.estimator.answeredFirst(elapsedMs);
  }

  /** An image was released; its request follows. */
  released(document: DocumentKey, tabId: number, url: string, bytes: number, nowMs: number): void {
    const key = imageKey(document, url);
    this.open.set(key, { tabId, image: { document, url }, isUrgent: false, isBeforeLayout: false, expectedUntilMs: nowMs + RELEASE_LIMIT_MS });
    this.transfers.start(key, new URL(url).origin, bytes, nowMs);
  }

  /** @param ofMainDocument asked for by the tab's own document, not by a frame in it */
  started(requestId: string, tabId: number, type: ResourceType, url: string, ofMainDocument: boolean, nowMs: number): void {
    this.open.set(requestId, { tabId, image: null, isUrgent: ofMainDocument && LAYOUT_TYPES.has(type), isBeforeLayout: ofMainDocument && BEFORE_LAYOUT_TYPES.has(type), expectedUntilMs: null });
    this.transfers.start(requestId, new URL(url).origin, EXPECTED_BYTES[type] ?? OTHER_BYTES, nowMs);
  }

  /** An image was not held: an icon, or asked for while the link had room. Where it stands is not known, so it is taken to be in view. */
  passed(document: DocumentKey, requestId: string, tabId: number, url: string, nowMs: number): void {
    this.open.set(requestId, { tabId, image: { document, url }, isUrgent: true, isBeforeLayout: false, expectedUntilMs: null });
    this.transfers.start(requestId, new URL(url).origin, this.imageSizes.expected(url), nowMs);
  }

  /** Images of the document that were not held and are on the way. */
  passedIn(document: DocumentKey): string[] {
    return [...this.open.values()].flatMap(({ image, isUrgent }) => (isUrgent && image?.document === document ? [image.url] : []));
  }

  has(key: string): boolean {
    return this.open.has(key);
  }

  /** The request for it is on its way. @returns whether it was known */
  seen(key: string): boolean {
    const request = this.open.get(key);
    if (request !== undefined) request.expectedUntilMs = null;
    return request !== undefined;
  }

  /** It was redirected: another origin answers it. */
  redirected(key: string, url: string, nowMs: number): void {
    this.transfers.move(key, new URL(url).origin, nowMs);
  }

  responding(key: string, contentBytes: number | null, nowMs: number): void {
    const image = this.open.get(key)?.image;
    if (contentBytes !== null && image) this.imageSizes.learn(image.url, contentBytes);
    this.transfers.responding(key, contentBytes, this.estimate(), nowMs);
  }

  ended(key: string, nowMs: number): void {
    if (this.open.get(key)?.isBeforeLayout === true) this.layoutDueMs = nowMs + LAYOUT_MS;
    this.open.delete(key);
    this.transfers.end(key, this.estimate(), nowMs);
  }

  /** What is on the way is not followed any more. */
  forgetAll(nowMs: number): void {
    for (const key of [...this.open.keys()]) this.ended(key, nowMs);
  }

  /** Nothing of this tab is on the way any more. */
  forgetTab(tabId: number, nowMs: number): void {
    for (const [key, request] of [...this.open]) if (request.tabId === tabId) this.ended(key, nowMs);
  }

  /** Whether the link has so much to do that what is asked for next can wait, instead of standing in a queue of the browser or of a server. */
  isFull(nowMs: number, queue: RequestQueue): boolean {
    this.forgetUnseen(nowMs);
    const link = this.estimate();
    return isHoldWorthwhile(this.transfers.committedBytes(link, nowMs), link, queue);
  }

  /** Whether all that was asked for, and so much more, is there before its order could matter. */
  isSoonThere(nowMs: number, moreBytes = 0): boolean {
    const link = this.estimate();
    return isSoonThere(this.transfers.committedBytes(link, nowMs) + moreBytes, link);
  }

  /** Whether an image is expected to be so small, for this link, that it is not worth a hold. */
  isIcon(url: string): boolean {
    return isIcon(this.imageSizes.expected(url), this.estimate());
  }

  /**
   * What is on the way to the origins.
   *
   * @param laidOut whether the layout of the page that asks is known
   */
  origins(nowMs: number, laidOut: boolean): OriginLoad {
    const link = this.estimate();
    const awaitsLayout = !laidOut && this.isLayoutToCome(link, nowMs);
    return {
      openTo: (origin) => this.transfers.openTo(origin),
      isConnecting: (origin) => this.transfers.isConnecting(origin, link, nowMs),
      plainOriginLimit: (origin) => plainOriginLimit(link, awaitsLayout ? this.transfers.openTo(origin, (key) => !this.isImage(key)) : null),
    };
  }

  private isImage(key: string): boolean {
    return (this.open.get(key)?.image ?? null) !== null;
  }

  /** A file that does not come is waited for no longer than any other transfer. */
  private isLayoutToCome(link: LinkEstimate, nowMs: number): boolean {
    if (nowMs < this.layoutDueMs) return true;
    return [...this.transfers.stillToCome(link, nowMs)].some(([key]) => this.open.get(key)?.isBeforeLayout === true);
  }

  /**
   * @param isInView whether the first screen waits for a released image
   * @param laidOut whether the layout of the page is known that something is to be released in
   */
  load(isInView: (document: DocumentKey, url: string) => boolean, laidOut: boolean, nowMs: number): LinkLoad {
    this.forgetUnseen(nowMs);
    const link = this.estimate();
    const bdp = bdpBytes(link);
    let bytesToCome = 0;
    let connectingBytes = 0;
    let isUrgent = false;
    for (const [key, { bytes, isConnecting }] of this.transfers.stillToCome(link, nowMs)) {
      const request = this.open.get(key);
      const urgent = request !== undefined && (request.isUrgent || (request.image !== null && isInView(request.image.document, request.image.url)));
      isUrgent ||= urgent;
      // a long transfer shares the link with what comes beside it: it takes a place in the window, not the whole; all but layout files, which come first
      const counted = urgent && request.image === null ? bytes : Math.min(bytes, bdp);
      if (isConnecting) connectingBytes += counted;
      else bytesToCome += counted;
    }
    return { bytesToCome, connectingBytes, isUrgent, bdpBytes: bdp, releasesAreAlike: this.releasesAreAlike, ...this.origins(nowMs, laidOut) };
  }

  private forgetUnseen(nowMs: number): void {
    for (const [key, { expectedUntilMs }] of [...this.open]) if (expectedUntilMs !== null && nowMs > expectedUntilMs) this.ended(key, nowMs);
  }
}

export function imageKey(document: DocumentKey, url: string): string {
  return `${document} ${url}`;
}
