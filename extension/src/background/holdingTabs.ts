/** A page that streams is never parsed, and one without a content script does not say so. */
const PARSE_LIMIT_MS = 10_000;

export interface HoldingHost {
  /** Whether the link has so much to do that what is asked for next can wait. */
  isLinkFull(): boolean;
  /** Whether the link could take more now; there is a margin between full and this, so that the gate does not swing. */
  hasRoom(): boolean;
  /** Whether anything of the tab is held. */
  hasHeld(tabId: number): boolean;
  /** The set of holding tabs is another one now. */
  changed(tabId: number): void;
}

/**
 * Decides where images are held. A hold costs time on the page's main thread, and gains nothing while the link has room: what would be released
 * at once need not be held at all. Where the gate has to be closed beforehand, a tab's images are held from the start of a page, which asks for its
 * first eighty at a stroke when a script has come that kept the parser waiting; when it is parsed they pass as soon as the link has room and nothing
 * of the tab is held, and are held again when it is full.
 */
export class HoldingTabs {
  private readonly holding = new Set<number>();
  /** Tabs whose page holds from its start and is not parsed, and when that is waited for no more. */
  private readonly unparsed = new Map<number, ReturnType<typeof setTimeout>>();
  private readonly host: HoldingHost;

  constructor(host: HoldingHost) {
    this.host = host;
  }

  get tabs(): ReadonlySet<number> {
    return this.holding;
  }

  /** The tab has asked for something. */
  requested(tabId: number): void {
    if (!this.holding.has(tabId) && this.host.isLinkFull()) this.hold(tabId);
  }

  /** Something of the tab has ended, or was released. */
  eased(tabId: number): void {
    if (this.holding.has(tabId) && !this.unparsed.has(tabId) && !this.host.hasHeld(tabId) && this.host.hasRoom()) this.pass(tabId);
  }

  /** The tab is closed. */
  closed(tabId: number): void {
    this.forgetParsing(tabId);
    this.pass(tabId);
  }

  /** The gate is open everywhere, and nobody tells any more what tabs do. */
  clear(): void {
    for (const tabId of new Set([...this.holding, ...this.unparsed.keys()])) this.closed(tabId);
  }

  /** The tab goes to another page, which may ask for everything at a stroke until it is parsed. */
  navigated(tabId: number): void {
    this.forgetParsing(tabId);
    this.unparsed.set(
      tabId,
      setTimeout(() => this.parsed(tabId), PARSE_LIMIT_MS),
    );
    this.hold(tabId);
  }

  /** The tab's page is parsed. */
  parsed(tabId: number): void {
    this.forgetParsing(tabId);
    this.eased(tabId);
  }

  private hold(tabId: number): void {
    if (this.holding.has(tabId)) return;
    this.holding.add(tabId);
    this.host.changed(tabId);
  }

  private forgetParsing(tabId: number): void {
    clearTimeout(this.unparsed.get(tabId));
    this.unparsed.delete(tabId);
  }

  private pass(tabId: number): void {
    if (this.holding.delete(tabId)) this.host.changed(tabId);
  }
}
