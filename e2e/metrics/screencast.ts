import type { CDPSession } from 'playwright-core';
import type { RawFrame } from './measuredPage.ts';

const JPEG_QUALITY = 80;
/** Frames at half size: enough to tell pictures apart, a quarter of the work. */
export const SCREENCAST_SCALE = 0.5;

/** Records every frame that the browser draws, undecoded: decoding waits until the load is over. */
export class Screencast {
  readonly #page: CDPSession;
  #frames: RawFrame[] = [];

  constructor(page: CDPSession) {
    this.#page = page;
    page.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
      if (metadata.timestamp !== undefined) this.#keep({ wallMs: metadata.timestamp * 1000, jpeg: Buffer.from(data, 'base64') });
      page.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
    });
  }

  async start(viewport: { readonly width: number; readonly height: number }): Promise<void> {
    this.#frames = [];
    await this.#page.send('Page.startScreencast', {
      format: 'jpeg',
      quality: JPEG_QUALITY,
      maxWidth: Math.round(viewport.width * SCREENCAST_SCALE),
      maxHeight: Math.round(viewport.height * SCREENCAST_SCALE),
      everyNthFrame: 1,
    });
  }

  async stop(): Promise<readonly RawFrame[]> {
    await this.#page.send('Page.stopScreencast');
    return this.#frames;
  }

  #keep(frame: RawFrame): void {
    const last = this.#frames.at(-1);
    if (last?.jpeg.equals(frame.jpeg)) return;
    this.#frames.push(frame);
  }
}
