import { PANEL_PORT, type PanelNews, type PanelWish } from '../messages/panel.ts';

/** A background script that has ended is started anew by the next port. */
const RECONNECT_MS = 1_000;

/** The port to the background script: opened again whenever it closes, with the last wish said anew. */
export class BackgroundPort {
  private port: chrome.runtime.Port | null = null;
  private wish: PanelWish;
  private readonly heard: (news: PanelNews) => void;

  constructor(wish: PanelWish, heard: (news: PanelNews) => void) {
    [this.wish, this.heard] = [wish, heard];
    this.open();
  }

  record(isRecording: boolean): void {
    this.wish = { ...this.wish, isRecording };
    this.port?.postMessage(this.wish);
  }

  private open(): void {
    const port = chrome.runtime.connect({ name: PANEL_PORT });
    port.onMessage.addListener((news: PanelNews) => this.heard(news));
    port.onDisconnect.addListener(() => {
      this.port = null;
      setTimeout(() => this.open(), RECONNECT_MS);
    });
    port.postMessage(this.wish);
    this.port = port;
  }
}
