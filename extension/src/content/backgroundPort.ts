import { DOCUMENT_PORT, type BackgroundMessage } from '../../../shared/src/protocol/content.ts';
import type { ContentMessage } from '../../../shared/src/protocol/contentSchema.ts';

/**
 * The port to the background script. The browser closes it when the worker rests or dies, and when the document goes
 * into the back/forward cache; it is opened again when somebody sees the document, or moves one of which something was
 * asked: that starts a worker. Nothing waits for it meanwhile: a browser lets go of held requests when the worker ends.
 */
export class BackgroundPort {
  private port: chrome.runtime.Port | null = null;
  private isAsked = false;
  private readonly onMessage: (message: BackgroundMessage) => void;
  private readonly onOpen: () => void;

  /** @param onOpen the other side knows nothing of this document yet */
  constructor(onMessage: (message: BackgroundMessage) => void, onOpen: () => void) {
    this.onMessage = (message) => {
      this.isAsked = true;
      onMessage(message);
    };
    this.onOpen = onOpen;
    this.open();
    window.addEventListener('pageshow', ({ persisted }) => {
      // closed while the document was away, which the browser tells later than this, or not at all
      if (persisted) this.port = null;
      this.open();
    });
    document.addEventListener('visibilitychange', () => this.open());
    window.addEventListener('scroll', () => this.isAsked && this.open(), { capture: true, passive: true });
  }

  /** @returns whether somebody is there to hear it */
  send(message: ContentMessage): boolean {
    try {
      this.port?.postMessage(message);
    } catch {
      // "Extension context invalidated": of an extension that is reloaded or removed, the close of the port is not
      // always told
      this.port = null;
    }
    return this.port !== null;
  }

  private open(): void {
    if (this.port !== null || document.visibilityState === 'hidden') return;
    try {
      const port = chrome.runtime.connect({ name: DOCUMENT_PORT });
      port.onMessage.addListener(this.onMessage);
      port.onDisconnect.addListener(() => {
        if (this.port === port) this.port = null;
      });
      this.port = port;
    } catch {
      // "Extension context invalidated": the extension was updated after this script's injection, and is no more for
      // this document
      return;
    }
    this.onOpen();
  }
}
