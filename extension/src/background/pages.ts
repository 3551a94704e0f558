import { PageModel, type Release } from '../../../shared/src/page/pageModel.ts';
import type { BackgroundMessage, DocumentReport } from '../../../shared/src/protocol/page.ts';
import type { PageSnapshot } from '../../../shared/src/page/objects.ts';
import type { Plan } from '../../../shared/src/scheduling/plan.ts';
import type { LinkLoad } from '../../../shared/src/scheduling/releaseWindow.ts';
import type { DocumentKey, HeldRequest, RequestGate } from '../platform/gate.ts';
import type { LinkTraffic } from './linkTraffic.ts';

/** A burst of held requests makes one plan. */
const COALESCE_MS = 4;
/** A content script starts with its document; one that has not come by then will not come. */
const ABSENT_MS = 5_000;
/** Windows open with time too (a stalled transfer stops counting), so look again while something is held. */
const RECHECK_MS = 100;

export interface PagesHost {
  plan(document: DocumentKey, snapshot: PageSnapshot): Promise<Plan>;
  /** Milliseconds of one clock, the same as webRequest's time stamps. */
  now(): number;
}

interface Page {
  readonly document: DocumentKey;
  readonly tabId: number;
  readonly model: PageModel;
  send: ((message: BackgroundMessage) => void) | null;
  /** Of its first image. */
  readonly startMs: number;
  standsDown: boolean;
  planning: boolean;
  /** Null when objects, their places or what the helper has of them may have changed since it was made. */
  plan: Plan | null;
  /** How often that was. */
  changes: number;
  dirty: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Of its images. */
  readonly origins: Set<string>;
  /** Held, but the content script has not been told yet. */
  untold: string[];
}

export interface PageCounts {
  readonly held: number;
  readonly released: number;
  readonly inView: number;
}

/** All documents with a gate: takes what is held and where it is, asks for plans, lets go what the window allows. */
export class Pages {
  private readonly pages = new Map<DocumentKey, Page>();
  private readonly countsByTab = new Map<number, { held: number; released: number; inView: number }>();
  private readonly gate: RequestGate;
  private readonly traffic: LinkTraffic;
  private readonly host: PagesHost;

  constructor(gate: RequestGate, traffic: LinkTraffic, host: PagesHost) {
    this.gate = gate;
    this.traffic = traffic;
    this.host = host;
  }

  /** A content script is there. What was held before it started is told to it. */
  connected(document: DocumentKey, tabId: number, send: (message: BackgroundMessage) => void): void {
    const page = this.page(document, tabId);
    page.send = send;
    const urls = page.model.heldUrls();
    if (urls.length > 0) send({ type: 'held', urls });
    page.untold = [];
    if (page.origins.size > 0) send({ type: 'preconnect', origins: [...page.origins] });
    this.schedule(page);
  }

  /**
   * The document asks for an image. Its origin gets a connection now: a browser that runs few images at a time makes the other ones wait before they
   * have one, and what is held has none at all.
   */
  requested(document: DocumentKey, tabId: number, url: string): void {
    const page = this.page(document, tabId);
    const { origin } = new URL(url);
    if (page.origins.has(origin)) return;
    page.origins.add(origin);
    page.send?.({ type: 'preconnect', origins: [origin] });
  }

  disconnected(document: DocumentKey): void {
    const page = this.pages.get(document);
    if (page === undefined) return;
    clearTimeout(page.timer);
    this.pages.delete(document);
    this.gate.forget(document);
  }

  held({ document, tabId, url, order }: HeldRequest): void {
    const page = this.page(document, tabId);
    if (page.model.hold(url, order)) {
      this.count(tabId).held += 1;
      this.changed(page);
    }
    this.tellLater(page, url);
    if (page.standsDown) {
      this.tell(page);
      this.gate.releaseAll(document);
      return;
    }
    this.requested(document, tabId, url);
    this.schedule(page);
  }

  report(document: DocumentKey, message: DocumentReport): void {
    const page = this.pages.get(document);
    if (page === undefined) return;
    page.send?.({ type: 'alive' });
    if (message.type === 'standDown') {
      page.standsDown = true;
      this.releaseAll(page);
      return;
    }
    if (message.type === 'released') {
      this.released(page, message.objects.flatMap(({ url, placement }) => page.model.releasedByPage(url, placement) ?? []));
      return;
    }
    page.model.layout(message);
    this.changed(page);
    this.schedule(page);
  }

  imageEnded(document: DocumentKey, url: string): void {
    this.pages.get(document)?.model.ended(url);
  }

  /** The helper has asked for this image by itself, or has it, for whoever holds it. */
  foreseen(url: string): void {
    for (const page of this.pages.values()) {
      if (!page.model.isHeld(url)) continue;
      this.changed(page);
      this.schedule(page);
    }
  }

  tabChanged(tabId: number): void {
    for (const page of this.pages.values()) {
      if (page.tabId === tabId && page.model.heldCount > 0) this.schedule(page);
    }
  }

  forgetTab(tabId: number): void {
    this.countsByTab.delete(tabId);
    for (const page of [...this.pages.values()]) {
      if (page.tabId === tabId) this.disconnected(page.document);
    }
  }

  /** A new page starts in the tab. What no content script has come for in a while was of an old one. */
  navigated(tabId: number): void {
    this.countsByTab.delete(tabId);
    const sinceMs = this.host.now() - ABSENT_MS;
    for (const page of [...this.pages.values()]) if (page.tabId === tabId && page.send === null && page.startMs < sinceMs) this.disconnected(page.document);
  }

  /**
   * What the link has to do, for all tabs.
   *
   * @param laidOut whether the layout of the page is known that asks
   */
  load(laidOut: boolean): LinkLoad {
    return this.traffic.load((document, url) => this.pages.get(document)?.model.mayBeInView(url) ?? false, laidOut, this.host.now());
  }

  isLaidOut(document: DocumentKey): boolean {
    return this.pages.get(document)?.model.isLaidOut ?? false;
  }

  hasHeld(tabId: number): boolean {
    return [...this.pages.values()].some((page) => page.tabId === tabId && page.model.heldCount > 0);
  }

  counts(tabId: number): PageCounts {
    return this.count(tabId);
  }

  /** Fails open everywhere; for when the gate is switched off. */
  releaseEverything(): void {
    for (const page of this.pages.values()) this.releaseAll(page);
  }

  private page(document: DocumentKey, tabId: number): Page {
    let page = this.pages.get(document);
    if (page === undefined) {
      page = {
        document, tabId, model: new PageModel(this.traffic.imageSizes), send: null, startMs: this.host.now(), standsDown: false, planning: false, plan: null, changes: 0, dirty: false, timer: undefined, origins: new Set(), untold: [],
      };
      this.pages.set(document, page);
    }
    return page;
  }

  private count(tabId: number): { held: number; released: number; inView: number } {
    let counts = this.countsByTab.get(tabId);
    if (counts === undefined) {
      counts = { held: 0, released: 0, inView: 0 };
      this.countsByTab.set(tabId, counts);
    }
    return counts;
  }

  private releaseAll(page: Page): void {
    this.tell(page);
    this.released(page, page.model.releaseAll());
    this.gate.releaseAll(page.document);
  }

  /** A burst of held requests makes one message: each costs the page's main thread. */
  private tellLater(page: Page, url: string): void {
    page.untold.push(url);
    if (page.untold.length === 1) setTimeout(() => this.tell(page), COALESCE_MS);
  }

  /** To be called before any release, which would otherwise come before the hold. */
  private tell(page: Page): void {
    if (page.send === null || page.untold.length === 0) return;
    page.send({ type: 'held', urls: page.untold });
    page.untold = [];
  }

  private schedule(page: Page, delayMs = COALESCE_MS): void {
    if (page.planning) {
      page.dirty = true;
      return;
    }
    clearTimeout(page.timer);
    page.timer = setTimeout(() => void this.step(page), delayMs);
  }

  private async step(page: Page): Promise<void> {
    if (page.model.heldCount === 0) return;
    // held before the content script has started; it asks for what was missed when it connects
    if (page.send === null) return;
    // most steps follow the end of a transfer, which changes no order: to ask a helper again takes time of three processes
    const plan = page.plan ?? (await this.planFor(page));
    if (!this.pages.has(page.document)) return;
    const releases = page.model.release(plan, this.load(page.model.isLaidOut));
    if (releases.length > 0) {
      this.tell(page);
      this.released(page, releases);
      this.gate.release(page.document, releases);
    }
    if (page.dirty) this.schedule(page);
    else if (page.model.heldCount > 0) this.schedule(page, RECHECK_MS);
  }

  /** What changes meanwhile makes the page dirty. */
  private async planFor(page: Page): Promise<Plan> {
    page.planning = true;
    page.dirty = false;
    const { changes } = page;
    try {
      const plan = await this.host.plan(page.document, page.model.snapshot());
      // what a helper says is coming may fail to come, or the helper may end: nothing is held on its word for longer than until the next look
      if (page.changes === changes && plan.every(({ foreseen }) => foreseen !== 'coming')) page.plan = plan;
      return plan;
    } finally {
      page.planning = false;
    }
  }

  private changed(page: Page): void {
    page.plan = null;
    page.changes += 1;
  }

  private released(page: Page, releases: readonly Release[]): void {
    const counts = this.count(page.tabId);
    counts.released += releases.length;
    for (const { url, bytes } of releases) {
      if (page.model.isInView(url)) counts.inView += 1;
      this.traffic.released(page.document, page.tabId, url, bytes, this.host.now());
    }
  }
}
