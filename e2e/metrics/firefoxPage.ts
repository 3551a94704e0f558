import type { Browser, Frame, Page } from 'puppeteer-core';
import * as v from 'valibot';
import type { Rect } from '../../shared/src/page/geometry.ts';
import type { BrowserRequest } from './artifacts.ts';
import { frameBox } from './frameBox.ts';
import { collectLayout, RectSchema, type InspectedFrame } from './layout.ts';
import type { MeasuredPage, PageRecord, RawFrame, RequestStates, Viewport } from './measuredPage.ts';
import type { Pointer } from './pointer.ts';
import { withoutFragment } from './requestRecorder.ts';

/** Firefox has no screencast. A picture takes it some 60 ms of processor, so they are few. */
const PICTURE_INTERVAL_MS = 500;
const JPEG_QUALITY = 80;

/** Of the WebDriver BiDi event network.beforeRequestSent, with what Firefox adds; puppeteer passes neither on. */
const BeforeRequestSent = v.object({
  context: v.nullable(v.string()),
  redirectCount: v.number(),
  request: v.object({ request: v.string(), url: v.string(), destination: v.optional(v.string(), '') }),
});

/** Fetch destinations by the names that Playwright has for resources. */
const TYPES: Readonly<Record<string, string>> = { document: 'document', iframe: 'document', frame: 'document', style: 'stylesheet', script: 'script', font: 'font', image: 'image' };

/** What puppeteer has and does not declare. */
interface WithConnection {
  readonly connection: { on(event: string, listener: (params: unknown) => void): void };
}
interface WithRealm {
  readonly _id: string;
  isolatedRealm(): { evaluate(expression: string): Promise<unknown> };
}

/**
 * A page of Firefox over WebDriver BiDi. Nobody says who asked for a request, and frames are pictures taken now and
 * then.
 */
export class FirefoxPage implements MeasuredPage {
  readonly isSampled = true;
  readonly hasCrashed = false;
  readonly #browser: Browser;
  readonly #page: Page;
  #requests: BrowserRequest[] = [];
  #redirects = new Map<string, string>();
  readonly #lastUrls = new Map<string, string>();
  #frames: RawFrame[] = [];
  #timer: NodeJS.Timeout | undefined;
  #picture: Promise<void> = Promise.resolve();

  get pointer(): Pointer {
    return this.#page.mouse;
  }

  constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
    (browser as unknown as WithConnection).connection.on('network.beforeRequestSent', (params) => this.#record(params));
    page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  }

  async record(viewport: Viewport): Promise<void> {
    await this.#page.setViewport(viewport);
    this.#requests = [];
    this.#redirects = new Map();
    this.#frames = [];
    await this.#take();
    const next = () => {
      this.#timer = setTimeout(() => {
        this.#picture = this.#take()
          .catch(() => undefined)
          // a navigation that fails has no `finish`
          .then(() => {
            if (this.#browser.connected) next();
          });
      }, PICTURE_INTERVAL_MS);
    };
    next();
  }

  async navigate(url: string): Promise<void> {
    await this.#page.goto(url, { waitUntil: [], timeout: 0 });
  }

  async evaluate(expression: string): Promise<unknown> {
    return realmOf(this.#page.mainFrame()).evaluate(expression);
  }

  async passCacheBy(): Promise<void> {
    await this.#page.setCacheEnabled(false);
  }

  /** BiDi would tell; no scheme of Firefox has a relay. */
  requestStates(): RequestStates {
    return { ended: [], open: new Set() };
  }

  async finish(viewport: Viewport): Promise<PageRecord> {
    clearTimeout(this.#timer);
    await this.#picture;
    clearTimeout(this.#timer);
    const layout = await collectLayout(inspect(this.#page.mainFrame()), viewport);
    await this.#take();
    const screenshot = Buffer.from(await this.#page.screenshot({ type: 'png' }));
    return { layout, frames: this.#frames, browserRequests: this.#requests, redirects: this.#redirects, screenshot };
  }

  async #take(): Promise<void> {
    const wallMs = performance.timeOrigin + performance.now();
    const jpeg = Buffer.from(await this.#page.screenshot({ type: 'jpeg', quality: JPEG_QUALITY }));
    if (this.#frames.at(-1)?.jpeg.equals(jpeg) !== true) this.#frames.push({ wallMs, jpeg });
  }

  #record(params: unknown): void {
    const event = v.safeParse(BeforeRequestSent, params);
    if (!event.success) return;
    const { context, redirectCount, request } = event.output;
    const url = withoutFragment(request.url);
    const before = this.#lastUrls.get(request.request);
    if (redirectCount > 0 && before !== undefined) this.#redirects.set(before, url);
    this.#lastUrls.set(request.request, url);
    this.#requests.push({ url, frameId: context, type: TYPES[request.destination] ?? 'other', initiatorUrl: null });
  }
}

function realmOf(frame: Frame) {
  return (frame as unknown as WithRealm).isolatedRealm();
}

function inspect(frame: Frame): InspectedFrame {
  return {
    id: (frame as unknown as WithRealm)._id,
    evaluate: (expression) => realmOf(frame).evaluate(expression),
    children: async () => {
      const shown: { frame: InspectedFrame; box: Rect }[] = [];
      for (const child of frame.childFrames()) {
        const box = await ownerBox(child);
        if (box) shown.push({ frame: inspect(child), box });
      }
      return shown;
    },
  };
}

/** Null when the frame is hidden or gone. */
async function ownerBox(frame: Frame): Promise<Rect | null> {
  try {
    const owner = await frame.frameElement();
    return v.parse(v.nullable(RectSchema), (await owner?.evaluate(frameBox)) ?? null);
  } catch {
    return null;
  }
}
