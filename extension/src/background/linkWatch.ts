import type { BackgroundMessage, PointedLink } from '../../../shared/src/protocol/content.ts';

export interface LinkWatchHost {
  /** Whether data cost now. */
  isMetered(): boolean;
  /** Whether links to or in a page may be watched in a tab; asked again with each `want`. */
  mayWatch(url: string, tabId: number): boolean;
  pointed(link: PointedLink): void;
}

interface WatchedDocument {
  readonly url: string;
  readonly tabId: number;
  readonly send: (message: BackgroundMessage) => void;
  isWatched: boolean;
}

/** Has documents say which link the pointer is on, while somebody wants to know. */
export class LinkWatch {
  private readonly host: LinkWatchHost;
  private readonly documents = new Set<WatchedDocument>();
  private isWanted = false;

  constructor(host: LinkWatchHost) {
    this.host = host;
  }

  /** A document of an ordinary window is there. @returns ends it */
  connected(url: string, tabId: number, send: WatchedDocument['send']): () => void {
    const document = { url, tabId, send, isWatched: false };
    this.documents.add(document);
    this.tell(document);
    return () => this.documents.delete(document);
  }

  want(isWanted: boolean): void {
    this.isWanted = isWanted;
    for (const document of this.documents) this.tell(document);
  }

  /** A document has said so; nobody hears of it who does not want to, or for whom data cost. */
  pointed(link: PointedLink, tabId: number): void {
    const isWanted = this.isWanted && this.host.mayWatch(link.page, tabId) && this.host.mayWatch(link.url, tabId);
    if (isWanted && !this.host.isMetered()) this.host.pointed(link);
  }

  /** Only what has changed. */
  private tell(document: WatchedDocument): void {
    const isWatched = this.isWanted && this.host.mayWatch(document.url, document.tabId);
    if (isWatched === document.isWatched) return;
    document.isWatched = isWatched;
    document.send({ type: 'links', isWatched });
  }
}
