import { LinkEstimator, bdpBytes, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { ObjectSizes } from '../../../shared/src/estimation/objectSizes.ts';
import { TransferTable } from '../../../shared/src/estimation/transferTable.ts';
import type { LinkLoad } from '../../../shared/src/scheduling/admission.ts';
import type { LinkNow } from '../messages/status.ts';
import type { DocumentKey } from '../platform/gate.ts';
import type { KnownLink } from './linkStore.ts';

/** Resource types as webRequest names them. */
type ResourceType = string;

/** Compressed sizes expected before a Content-Length is known, in bytes; medians of the recorded pages, rounded. */
const EXPECTED_BYTES: Readonly<Record<ResourceType, number>> = { main_frame: 20_000, stylesheet: 8_000, script: 12_000, font: 20_000 };
const OTHER_BYTES = 4_000;
/** What the first layout waits for (NSF report, section VI: HTML, CSS, JavaScript, fonts). */
const LAYOUT_TYPES: ReadonlySet<ResourceType> = new Set(['main_frame', 'stylesheet', 'script', 'font']);
/**
 * A page may give an image up while it is held, of which browsers tell nothing; its request never comes, and must not
 * keep others waiting.
 */
const RELEASE_LIMIT_MS = 3_000;

interface OpenRequest {
  readonly tabId: number;
  /** Null for requests that are no image's. */
  readonly image: { readonly document: DocumentKey; readonly url: string } | null;
  readonly isLayoutFile: boolean;
  /** Until when a released image's request must be seen; null once it is. */
  expectedUntilMs: number | null;
}

/** All transfers of the browser over the one access link, and what they say of it. */
export class LinkTraffic {
  readonly estimator = new LinkEstimator();
  private readonly transfers = new TransferTable();
  private readonly open = new Map<string, OpenRequest>();
  readonly imageSizes = new ObjectSizes();
  /**
   * As the helper measures it while it carries what the browser asks for, bits a second: what it has fetched before comes
   * to the browser at the speed of this machine. Null where it does not, or has not measured.
   */
  carriedRate: number | null = null;
  /** The same, as people are told of it (`LinkEstimator.seenRate`). */
  carriedSeenRate: number | null = null;
  private formerSeenRate: number | null = null;
  /** Whether the helper itself answers a request now: its time and length say nothing of the link, for the same reason. */
  isCarried: (url: string) => boolean = () => false;
  /** Instead of what is measured; for tests. */
  fixedLink: LinkEstimate | null = null;

  estimate(): LinkEstimate {
    const link = this.estimator.estimate();
    return this.fixedLink ?? (this.carriedRate === null ? link : { ...link, rateBitsPerSecond: this.carriedRate });
  }

  /** What was known before anything is measured. */
  assume({ seenBitsPerSecond, ...link }: KnownLink): void {
    this.estimator.assume(link);
    this.formerSeenRate = seenBitsPerSecond;
  }

  /** What has come of it in this network; null while that is too little to tell. */
  get shown(): LinkEstimate | null {
    const { shown } = this.estimator;
    return this.fixedLink ?? (this.carriedRate === null ? shown : this.estimate());
  }

  /** It is another link now. @param link what is taken for it until something is measured */
  networkChanged(link: KnownLink): void {
    this.estimator.forget();
    [this.carriedRate, this.carriedSeenRate] = [null, null];
    this.assume(link);
  }

  /** For a background script that comes after this one. */
  get known(): KnownLink {
    return { ...this.estimate(), seenBitsPerSecond: this.seenRate ?? this.formerSeenRate };
  }

  /** As people are told of it. */
  get linkNow(): LinkNow {
    const { seenRate } = this;
    const { rateBitsPerSecond, rttMs } = this.estimate();
    return { rateBitsPerSecond: this.fixedLink?.rateBitsPerSecond ?? seenRate ?? this.formerSeenRate ?? rateBitsPerSecond, isRateMeasured: seenRate !== null, rttMs, isRttMeasured: this.estimator.isRttMeasured };
  }

  private get seenRate(): number | null {
    return this.carriedRate === null ? this.estimator.seenRate : this.carriedSeenRate;
  }

  /** An image was released; its request follows. */
  released(document: DocumentKey, tabId: number, url: string, bytes: number, nowMs: number): void {
    const key = imageKey(document, url);
    this.open.set(key, { tabId, image: { document, url }, isLayoutFile: false, expectedUntilMs: nowMs + RELEASE_LIMIT_MS });
    this.transfers.start(key, new URL(url).origin, bytes, nowMs);
  }

  /** @param ofMainDocument asked for by the tab's own document, not by a frame in it */
  started(requestId: string, tabId: number, type: ResourceType, url: string, ofMainDocument: boolean, nowMs: number): void {
    this.open.set(requestId, { tabId, image: null, isLayoutFile: ofMainDocument && LAYOUT_TYPES.has(type), expectedUntilMs: null });
    this.transfers.start(requestId, new URL(url).origin, EXPECTED_BYTES[type] ?? OTHER_BYTES, nowMs);
  }

  /** An image was not held. */
  passed(document: DocumentKey, requestId: string, tabId: number, url: string, nowMs: number): void {
    this.open.set(requestId, { tabId, image: { document, url }, isLayoutFile: false, expectedUntilMs: null });
    this.transfers.start(requestId, new URL(url).origin, this.imageSizes.expected(url), nowMs);
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
    this.open.delete(key);
    this.transfers.end(key, this.estimate(), nowMs);
  }

  /** What is on the way is not followed any more. */
  forgetAll(nowMs: number): void {
    this.forget(() => true, nowMs);
  }

  /** Nothing of this tab is on the way any more. */
  forgetTab(tabId: number, nowMs: number): void {
    this.forget((request) => request.tabId === tabId, nowMs);
  }

  /** A document is gone, and its images with it: Chromium does not always tell that those of a removed frame have ended. */
  forgetDocument(document: DocumentKey, nowMs: number): void {
    this.forget(({ image }) => image?.document === document, nowMs);
  }

  /** Images of https: that a tab's pages have asked for and that have not ended, though nothing may come of them for now: a browser counts them. */
  openSecureImages(tabId: number): number {
    let count = 0;
    for (const { tabId: other, image } of this.open.values()) if (other === tabId && image?.url.startsWith('https:') === true) count += 1;
    return count;
  }

  /** @param mayBeInView whether the first screen may wait for an image */
  load(mayBeInView: (document: DocumentKey, url: string) => boolean, nowMs: number): Omit<LinkLoad, 'isHttpsOrdered' | 'openSecureImages'> {
    for (const [key, { expectedUntilMs }] of [...this.open]) if (expectedUntilMs !== null && nowMs > expectedUntilMs) this.ended(key, nowMs);
    const link = this.estimate();
    const bdp = bdpBytes(link);
    let bytesToCome = 0;
    let connectingBytes = 0;
    let isUrgent = false;
    for (const [key, { bytes, isConnecting }] of this.transfers.stillToCome(link, nowMs)) {
      const { isLayoutFile = false, image = null } = this.open.get(key) ?? {};
      isUrgent ||= isLayoutFile || (image !== null && mayBeInView(image.document, image.url));
      // a long transfer shares the link with what comes beside it: it takes a place in the window, not the whole; all
      // but layout files, which come first
      const counted = isLayoutFile ? bytes : Math.min(bytes, bdp);
      if (isConnecting) connectingBytes += counted;
      else bytesToCome += counted;
    }
    return { link, bytesToCome, connectingBytes, isUrgent, openTo: (origin) => this.transfers.openTo(origin), isConnecting: (origin) => this.transfers.isConnecting(origin, link, nowMs) };
  }

  private forget(isGone: (request: OpenRequest) => boolean, nowMs: number): void {
    for (const [key, request] of [...this.open]) if (isGone(request)) this.ended(key, nowMs);
  }
}

export function imageKey(document: DocumentKey, url: string): string {
  return `${document} ${url}`;
}
