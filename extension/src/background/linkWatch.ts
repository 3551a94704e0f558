import type { BackgroundMessage, PointedLink } from '../../../shared/src/protocol/content.ts';

/** Network Information API, as far as it says what data cost; Chromium's. */
export interface Metering {
  readonly saveData?: boolean;
  readonly type?: string;
}

export interface LinkWatchHost {
  /** Of the connection now; undefined where the browser does not tell. */
  metering(): Metering | undefined;
  pointed(link: PointedLink): void;
}

/** Has documents say which link the pointer is on, while somebody wants to know. */
export class LinkWatch {
  private readonly host: LinkWatchHost;
  private readonly documents = new Set<(message: BackgroundMessage) => void>();
  private isWanted = false;

  constructor(host: LinkWatchHost) {
    this.host = host;
  }

  /** A document of an ordinary window is there. @returns ends it */
  connected(send: (message: BackgroundMessage) => void): () => void {
    this.documents.add(send);
    if (this.isWanted) send({ type: 'links', isWatched: true });
    return () => this.documents.delete(send);
  }

  want(isWanted: boolean): void {
    if (isWanted === this.isWanted) return;
    this.isWanted = isWanted;
    for (const send of this.documents) send({ type: 'links', isWatched: isWanted });
  }

  /** A document has said so; nobody hears of it who does not want to, or for whom data cost. */
  pointed(link: PointedLink): void {
    const { saveData, type } = this.host.metering() ?? {};
    if (this.isWanted && saveData !== true && type !== 'cellular') this.host.pointed(link);
  }
}
