import { PAGE_PORT, type BackgroundMessage, type ContentMessage } from '../../../shared/src/protocol/page.ts';

/** The background script must answer a report within this time, or it is taken for dead. */
const ANSWER_LIMIT_MS = 3_000;

/**
 * The port to the background script. `onLost` is called once, when the port closes (worker stopped, extension reloaded or removed) or the
 * background script does not answer.
 */
export class BackgroundPort {
  private readonly port: chrome.runtime.Port | null;
  private readonly onLost: () => void;
  private unansweredTimer: ReturnType<typeof setTimeout> | undefined;
  private lost = false;

  constructor(onMessage: (message: BackgroundMessage) => void, onLost: () => void) {
    this.onLost = onLost;
    this.port = connect();
    if (this.port === null) {
      queueMicrotask(() => this.lose());
      return;
    }
    this.port.onMessage.addListener((message: BackgroundMessage) => {
      clearTimeout(this.unansweredTimer);
      this.unansweredTimer = undefined;
      onMessage(message);
    });
    this.port.onDisconnect.addListener(() => this.lose());
  }

  send(message: ContentMessage): void {
    if (this.lost || this.port === null) return;
    this.unansweredTimer ??= setTimeout(() => this.lose(), ANSWER_LIMIT_MS);
    try {
      this.port.postMessage(message);
    } catch {
      // "Extension context invalidated": of an extension that is reloaded or removed, the close of the port is not always told
      this.lose();
    }
  }

  private lose(): void {
    if (this.lost) return;
    this.lost = true;
    clearTimeout(this.unansweredTimer);
    try {
      this.port?.disconnect();
    } catch {
      // the extension is gone, and the port with it
    }
    this.onLost();
  }
}

function connect(): chrome.runtime.Port | null {
  try {
    return chrome.runtime.connect({ name: PAGE_PORT });
  } catch {
    // "Extension context invalidated": the extension was updated between this script's injection and its start
    return null;
  }
}
