import { DocumentModel, type ImageRank, type Release } from '../../../shared/src/page/documentModel.ts';
import { MAX_URL_CHARS, type BackgroundMessage } from '../../../shared/src/protocol/content.ts';
import type { LayoutReport, MadeLazy } from '../../../shared/src/protocol/contentSchema.ts';
import { mayGo, type LinkLoad } from '../../../shared/src/scheduling/admission.ts';
import type { GateEvent } from '../messages/panel.ts';
import type { DocumentKey, HeldRequest, ImageRequest, RequestGate } from '../platform/gate.ts';
import type { LinkTraffic } from './linkTraffic.ts';
import { log } from './log.ts';
import { PageCounts, type DocumentCounts, type ImageCounts } from './pageCounts.ts';

/** A burst of held requests is looked at once. */
const COALESCE_MS = 4;
/** Windows open with time too (a stalled transfer stops counting), so look again while something is held. */
const RECHECK_MS = 100;
/** A page whose own scripts keep the content script so long from making an image lazy does not wait for it. */
const MAKE_LAZY_MS = 2_000;
/** In which it has answered that it did. */
const ANSWER_MS = 500;

export interface DocumentsHost {
  /** What is held, whatever the link has to do; for tests. */
  holdsAll(): boolean;
  /** Whether images are put in order; where not, none waits but for the data saver. */
  orders(): boolean;
  /**
   * Whether the user has switched it off for the site of a page.
   *
   * @param page its address or origin; null where the browser does not tell: then it is what the tab has asked for last
   */
  isOff(page: string | null, tabId: number): boolean;
  /** Whether the user wants images of a page only when somebody comes near them. @param page as for `isOff` */
  savesData(page: string | null, tabId: number): boolean;
  /** Whether the helper orders requests of https:. */
  ordersHttps(): boolean;
  /** Whether somebody wants to know where images stand, although none is held. */
  wantsRanks(): boolean;
  /** A document is about to ask for an image, whether it has to wait or not. */
  asking(url: string): void;
  /** Images stand so in their document now. */
  ranked(ranks: readonly ImageRank[]): void;
  /** The counts of some tab are others now. */
  counted(): void;
  /** A tab shows another page, or something else is to be said of the one that it shows. */
  pageChanged(content: ContentScript, key: DocumentKey): void;
  /** An image of some tab was held, or let go. */
  gated(tabId: number, event: GateEvent): void;
  /** Milliseconds of one clock, the same as webRequest's time stamps. */
  now(): number;
}

/** A document's content script. */
export interface ContentScript {
  readonly tabId: number;
  /** Of the page itself, and not of a frame in it. */
  readonly isPage: boolean;
  /** Of a private window or a container: nothing of it leaves the browser. */
  readonly isPrivate: boolean;
  /** Address of the page that the document is part of; null where that is not known. */
  readonly page: string | null;
  readonly send: (message: BackgroundMessage) => void;
}

interface OpenDocument {
  readonly key: DocumentKey;
  readonly tabId: number;
  readonly model: DocumentModel;
  readonly counts: DocumentCounts;
  content: ContentScript | null;
  /** Of the page that it is part of, as far as is known. */
  page: string | null;
  /** Its page is of a site that is off, or was at some time since: then it stays as it is without us. */
  isOff: boolean;
  standsDown: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** The open documents: decides for each image that is asked for whether it is held, and lets go what may go. */
export class Documents {
  private readonly documents = new Map<DocumentKey, OpenDocument>();
  private readonly pageCounts = new PageCounts();
  private readonly gate: RequestGate | null;
  private readonly traffic: LinkTraffic;
  private readonly host: DocumentsHost;

  constructor(gate: RequestGate | null, traffic: LinkTraffic, host: DocumentsHost) {
    this.gate = gate;
    this.traffic = traffic;
    this.host = host;
  }

  /** Whether anything is held. */
  get isHolding(): boolean {
    for (const { model } of this.documents.values()) if (model.heldCount > 0) return true;
    return false;
  }

  isConnected(key: DocumentKey): boolean {
    return (this.documents.get(key)?.content ?? null) !== null;
  }

  /** A content script is there. */
  connected(key: DocumentKey, content: ContentScript): void {
    const document = this.document(key, content.tabId, content.page);
    document.content = content;
    document.page = content.page;
    if (content.isPage) {
      // nobody asks for one that comes out of the back/forward cache, or was prerendered
      this.pageCounts.navigated(content.tabId, document.counts.startMs);
      this.host.pageChanged(content, key);
    }
    this.heedSettings(document);
    if (document.isOff) return;
    if (this.host.orders() || document.model.leavesBeyondPx !== null || this.wantsRanksOf(document)) this.look(document);
    this.schedule(document);
  }

  /** From now on somebody wants to know where images stand. */
  ranksAreWanted(): void {
    for (const document of this.documents.values()) if (this.wantsRanksOf(document)) this.look(document);
  }

  /** The user has decided something else, in general or for some site, or images are not put in order any more. */
  settingsChanged(): void {
    for (const document of this.documents.values()) {
      this.heedSettings(document);
      this.schedule(document);
    }
  }

  /** A content script is gone. Of a document that comes back out of the back/forward cache another one may be there before that is told. */
  disconnected(key: DocumentKey, content: ContentScript): void {
    const document = this.documents.get(key);
    if (document?.content === content) this.forget(document);
  }

  /** Whether an image that is asked for may go now; it is taken to have gone then. */
  mayPass({ document: key, requestId, tabId, url, page }: ImageRequest): boolean {
    const document = this.documents.get(key);
    // it is counted when it is on its way, as everything is that no gate has seen
    if (document?.isOff ?? this.host.isOff(page, tabId)) return true;
    const isTooLong = url.length > MAX_URL_CHARS;
    const model = document?.model ?? this.newModel(page, tabId);
    // what is far from the view may be left by the data saver
    if (!isTooLong && document !== undefined && model.leavesBeyondPx === null && this.wantsRanksOf(document)) this.host.asking(url);
    if (isTooLong) log('info', 'gate', 'E_URL_TOO_LONG', 'an image whose URL is too long to be told of is not held');
    if (!isTooLong && document?.standsDown !== true && this.holds(model, tabId, url)) return false;
    if (this.host.orders()) this.traffic.passed(key, requestId, tabId, url, this.host.now());
    return true;
  }

  held({ document: key, tabId, url, order, page }: HeldRequest): void {
    const document = this.document(key, tabId, page);
    if (document.model.hold(url, order)) {
      this.counted(document, 'held');
      this.host.gated(tabId, { atMs: this.host.now(), url, isHeld: true });
    }
    // the gate has forgotten what this document knows
    else if (!document.model.isHeld(url)) this.gate?.release(key, [url]);
    this.schedule(document);
  }

  /** The gate has let go by itself of an image, or of all that the document holds or will hold. */
  gaveUp(key: DocumentKey, url: string | null): void {
    const document = this.documents.get(key);
    if (document === undefined) return;
    if (url !== null) this.released(document, document.model.unhold([url]));
    else {
      this.releaseAll(document);
      // nobody would say that it has gone: a page may have such frames come and go for as long as it is open
      if (document.content === null) this.drop(document);
    }
  }

  layout(key: DocumentKey, report: LayoutReport): void {
    const document = this.documents.get(key);
    if (document === undefined || document.isOff) return;
    document.model.layout(report);
    this.schedule(document);
    if (this.wantsRanksOf(document)) this.host.ranked(document.model.ranks());
  }

  /** What the content script was asked to make lazy, as far as it could. */
  madeLazy(key: DocumentKey, { lazy, others }: MadeLazy): void {
    const document = this.documents.get(key);
    if (document === undefined) return;
    const left = document.model.unhold(lazy).map(({ url }) => url);
    for (const url of left) {
      this.counted(document, 'left');
      this.host.gated(document.tabId, { atMs: this.host.now(), url, isHeld: false });
    }
    // what its elements have given up comes to nothing, and what something else waits for as well is fetched
    this.gate?.release(key, left);
    document.model.keep(others);
    this.schedule(document);
  }

  /** This document can not be helped: everything of it goes. */
  standDown(key: DocumentKey): void {
    const document = this.documents.get(key);
    if (document === undefined) return;
    document.standsDown = true;
    this.releaseAll(document);
    if (document.content?.isPage === true) this.host.pageChanged(document.content, key);
  }

  /** Whether a service worker of the page's own answers what the page of a tab asks for. */
  isAnsweredByWorker(tabId: number): boolean {
    for (const { content, standsDown } of this.documents.values()) if (standsDown && content?.isPage === true && content.tabId === tabId) return true;
    return false;
  }

  /** Something of the tab has ended. */
  tabChanged(tabId: number): void {
    for (const document of this.documents.values()) if (document.tabId === tabId) this.schedule(document);
  }

  forgetTab(tabId: number): void {
    this.pageCounts.forgetTab(tabId);
    for (const document of [...this.documents.values()]) if (document.tabId === tabId) this.forget(document);
  }

  /** A new page was asked for in the tab; its document may have come by now. */
  navigated(tabId: number, atMs: number): void {
    this.pageCounts.navigated(tabId, atMs);
    this.host.counted();
  }

  /** Of the page that a tab shows. */
  counts(tabId: number): ImageCounts {
    return this.pageCounts.of(tabId);
  }

  /** Fails open everywhere; for when the gate is switched off. */
  releaseEverything(): void {
    for (const document of this.documents.values()) this.releaseAll(document);
  }

  private forget(document: OpenDocument): void {
    this.drop(document);
    this.gate?.forget(document.key);
    this.traffic.forgetDocument(document.key, this.host.now());
  }

  private drop(document: OpenDocument): void {
    clearTimeout(document.timer);
    // a timer of the data saver may still be running
    document.content = null;
    this.documents.delete(document.key);
    this.pageCounts.ended(document.tabId, document.counts);
  }

  /** What the link has to do, for all tabs, and what this one has asked for. */
  private load(tabId: number): LinkLoad {
    const load = this.traffic.load((key, url) => this.documents.get(key)?.model.mayBeInView(url) ?? true, this.host.now());
    return { ...load, openSecureImages: this.traffic.openSecureImages(tabId), isHttpsOrdered: this.host.ordersHttps() };
  }

  private document(key: DocumentKey, tabId: number, page: string | null): OpenDocument {
    const known = this.documents.get(key);
    if (known !== undefined) return known;
    const document: OpenDocument = { key, tabId, model: this.newModel(page, tabId), counts: this.pageCounts.begin(tabId, this.host.now()), content: null, page, isOff: false, standsDown: false, timer: undefined };
    this.documents.set(key, document);
    return document;
  }

  private newModel(page: string | null, tabId: number): DocumentModel {
    const model = new DocumentModel(this.traffic.imageSizes);
    model.leavesBeyondPx = this.leavesBeyondPx(page, tabId);
    return model;
  }

  private leavesBeyondPx(page: string | null, tabId: number): number | null {
    return this.gate !== null && this.host.savesData(page, tabId) ? this.gate.lazyMarginPx : null;
  }

  /** Whether an image that is asked for has to wait. */
  private holds(model: DocumentModel, tabId: number, url: string): boolean {
    return this.host.holdsAll() || model.mustWait(url) || (this.host.orders() && !mayGo(model.candidate(url), this.load(tabId), model.isLaidOut));
  }

  private heedSettings(document: OpenDocument): void {
    document.model.leavesBeyondPx = this.leavesBeyondPx(document.page, document.tabId);
    if (document.isOff || !this.host.isOff(document.page, document.tabId)) return;
    document.isOff = true;
    this.releaseAll(document);
  }

  private wantsRanksOf({ content, isOff }: OpenDocument): boolean {
    return content !== null && !content.isPrivate && !isOff && this.host.wantsRanks();
  }

  private counted({ counts }: OpenDocument, what: keyof ImageCounts): void {
    counts[what] += 1;
    this.host.counted();
  }

  private look({ content, model }: OpenDocument): void {
    model.looks += 1;
    content?.send({ type: 'look', look: model.looks });
  }

  private schedule(document: OpenDocument, delayMs = COALESCE_MS): void {
    if (document.model.heldCount === 0) return;
    clearTimeout(document.timer);
    document.timer = setTimeout(() => this.step(document), delayMs);
  }

  private step(document: OpenDocument): void {
    // nobody can say yet where anything stands; the gate waits for a content script no longer than a second
    if (document.content === null) return;
    if (document.model.wantsLook) this.look(document);
    this.leaveFar(document, document.content);
    const releases = document.model.release(this.host.orders() ? this.load(document.tabId) : null);
    this.released(document, releases);
    this.gate?.release(document.key, releases.map(({ url }) => url));
    this.schedule(document, RECHECK_MS);
  }

  private leaveFar(document: OpenDocument, content: ContentScript): void {
    const urls = document.model.takeFar();
    if (urls.length === 0) return;
    content.send({ type: 'makeLazy', urls, untilMs: this.host.now() + MAKE_LAZY_MS });
    setTimeout(() => {
      document.model.keep(urls);
      this.schedule(document);
    }, MAKE_LAZY_MS + ANSWER_MS);
  }

  private releaseAll(document: OpenDocument): void {
    this.released(document, document.model.releaseAll());
    this.gate?.releaseAll(document.key);
  }

  private released(document: OpenDocument, releases: readonly Release[]): void {
    const { key, tabId, model } = document;
    for (const { url, bytes } of releases) {
      this.counted(document, 'released');
      if (model.isInView(url)) this.counted(document, 'inView');
      this.host.gated(tabId, { atMs: this.host.now(), url, isHeld: false });
      if (this.host.orders()) this.traffic.released(key, tabId, url, bytes, this.host.now());
    }
  }
}
