import type { CDPSession, Page } from 'playwright-core';
import { mainFrame, remoteFrames } from './chromiumFrame.ts';
import { collectLayout } from './layout.ts';
import type { MeasuredPage, PageRecord, RequestStates, Viewport } from './measuredPage.ts';
import type { Pointer } from './pointer.ts';
import { RequestEnds } from './requestEnds.ts';
import { RequestRecorder } from './requestRecorder.ts';
import { Screencast } from './screencast.ts';

/** A page of Chromium, driven by Playwright, with a DevTools session of its own for what Playwright does not tell. */
export class ChromiumPage implements MeasuredPage {
  readonly isSampled = false;
  hasCrashed = false;
  readonly #page: Page;
  readonly #session: CDPSession;
  readonly #recorder: RequestRecorder;
  readonly #ends: RequestEnds;
  readonly #screencast: Screencast;

  get pointer(): Pointer {
    return this.#page.mouse;
  }

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
    this.#recorder = new RequestRecorder(page, session);
    this.#ends = new RequestEnds(page, session);
    this.#screencast = new Screencast(session);
    page.on('crash', () => (this.hasCrashed = true));
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  }

  static async of(page: Page): Promise<ChromiumPage> {
    return new ChromiumPage(page, await page.context().newCDPSession(page));
  }

  async record(viewport: Viewport): Promise<void> {
    await this.#page.bringToFront();
    await this.#session.send('Page.enable');
    await this.#session.send('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false });
    await this.#session.send('Network.enable');
    this.#recorder.begin();
    this.#ends.begin();
    await this.#screencast.start(viewport);
  }

  async navigate(url: string): Promise<void> {
    await this.#page.goto(url, { waitUntil: 'commit', timeout: 0 });
  }

  async passCacheBy(): Promise<void> {
    await this.#session.send('Network.setCacheDisabled', { cacheDisabled: true });
  }

  requestStates(): RequestStates {
    return this.#ends;
  }

  async evaluate(expression: string): Promise<unknown> {
    return (await mainFrame(this.#session, [])).evaluate(expression);
  }

  async finish(viewport: Viewport): Promise<PageRecord> {
    const remote = await remoteFrames(this.#page);
    const layout = await collectLayout(await mainFrame(this.#session, remote), viewport);
    const frames = await this.#screencast.stop();
    const { data } = await this.#session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
    return {
      layout,
      frames,
      browserRequests: this.#recorder.requests(new Map(remote.map(({ frame, tree }) => [frame, tree.frame.id]))),
      redirects: this.#recorder.redirects,
      screenshot: Buffer.from(data, 'base64'),
    };
  }
}
