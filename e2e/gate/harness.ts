import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { TestBrowser, type InstallationKind } from './browsers.ts';
import { Ground } from './ground.ts';
import { RECORDER, readFrame, type FrameView } from './pageRecorder.ts';
import type { Site, Visit } from './server.ts';

/** A page that is loaded has come to rest when nothing was asked or seen for this long; the test pages have timers of up to 500 ms. */
const QUIET_MS = 900;
const POLL_MS = 50;
/** Limit of a visit; only a page that loses something runs into it. */
const REST_LIMIT_MS = 12_000;

/** What there is to see of a page that has come to rest. */
export interface Observation {
  /** How often each URL was asked for. */
  readonly requests: Readonly<Record<string, number>>;
  /** How the first request for each URL was made: in which mode, and what it tells of the page. */
  readonly modes: Readonly<Record<string, string>>;
  readonly frames: readonly FrameView[];
  readonly picture: Buffer;
}

/** Of the same site without the extension, and with it. */
interface Observations {
  readonly stock: Observation;
  readonly firstscreen: Observation;
}

/** What a visit is expected to come to; what is not given may be anything. */
type Expected = Partial<Pick<Observation, 'frames' | 'requests'>>;

export interface VisitOptions {
  /** What the visitor does once the page's document is there. */
  readonly drive?: (page: Page, visit: Visit) => Promise<void>;
  /** Before the page is opened. */
  readonly prepare?: (visit: Visit, page: Page) => Promise<void> | void;
  /** Style sheets differ by design: a released image tells of the page, where stock tells of the sheet that names it. */
  readonly namedBySheets?: boolean;
  /** Path of the page. */
  readonly path?: string;
}

/** The same with two browsers, without the extension and with it. */
export class Bench extends Ground {
  readonly stock: TestBrowser;
  readonly firstscreen: TestBrowser;

  private constructor({ server, installation }: Ground, stock: TestBrowser, firstscreen: TestBrowser) {
    super(server, installation);
    [this.stock, this.firstscreen] = [stock, firstscreen];
  }

  static async start(kind?: InstallationKind): Promise<Bench> {
    const ground = await Ground.make(kind);
    const [stock, firstscreen] = await Promise.all([TestBrowser.stock(ground.server.ownOrigin), ground.openFirstscreen()]);
    return new Bench(ground, stock, firstscreen);
  }

  override async close(): Promise<void> {
    await Promise.all([this.stock.close(), this.firstscreen.close()]);
    await super.close();
  }

  /** Visits the site without and with the extension, and expects the same of both. */
  async expectSame(site: Site, options: VisitOptions = {}): Promise<Observations> {
    const both = await this.observeBoth(site, options);
    expectAlike(both);
    if (options.namedBySheets !== true) expect(both.firstscreen.modes).toEqual(both.stock.modes);
    return both;
  }

  /** Visits the site without and with the extension at once. @param browser that has it, and what is done there */
  async observeBoth(site: Site, options: VisitOptions = {}, browser = this.firstscreen, optionsThere = options): Promise<Observations> {
    const observed = this.observe(this.stock, site, options);
    const [stock, firstscreen] = await Promise.all([observed, this.observe(browser, site, optionsThere, observed)]);
    return { stock, firstscreen };
  }

  /** @param expected of what another visit sees: rest is not before that is reached, or the limit */
  async observe(browser: TestBrowser, site: Site, options: VisitOptions = {}, expected?: Promise<Expected>): Promise<Observation> {
    const visit = this.server.visit(site);
    const page = await browser.context.newPage();
    try {
      await options.prepare?.(visit, page);
      await page.goto(visit.url(options.path ?? '/'), { waitUntil: 'commit' });
      await options.drive?.(page, visit);
      const frames = await restOf(page, visit, expected);
      return { requests: countOf(visit), modes: modesOf(visit), frames, picture: await page.screenshot() };
    } finally {
      await page.close();
    }
  }
}

/** Both have asked for the same, and look the same, to their scripts too. */
export function expectAlike({ stock, firstscreen }: Observations): void {
  expect(firstscreen.requests).toEqual(stock.requests);
  expect(firstscreen.frames).toEqual(stock.frames);
  expect(firstscreen.picture.equals(stock.picture), 'the same picture').toBe(true);
}

/** Waits until the page is at rest, and tells what its frames look like then. */
export async function restOf(page: Page, visit: Visit, expected: Promise<Expected> = Promise.resolve({})): Promise<FrameView[]> {
  const wanted: { known: Expected | null; deadlineMs: number } = { known: null, deadlineMs: Infinity };
  const know = (known: Expected): void => void Object.assign(wanted, { known, deadlineMs: performance.now() + REST_LIMIT_MS });
  // whoever began the other visit hears of its failure
  expected.then(know, () => know({}));
  let lastChangeMs = performance.now();
  let last = '';
  for (;;) {
    const frames = await viewOf(page);
    const now = JSON.stringify([visit.requests.length, visit.openCount, frames]);
    if (now !== last) lastChangeMs = performance.now();
    last = now;
    const nowMs = performance.now();
    const isQuiet = visit.openCount === 0 && frames.every(({ isLoaded }) => isLoaded) && nowMs - lastChangeMs >= QUIET_MS;
    const isComplete = wanted.known !== null && isAs(frames, wanted.known.frames) && isAs(countOf(visit), wanted.known.requests);
    if ((isQuiet && isComplete) || nowMs > wanted.deadlineMs) return frames;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function viewOf(page: Page): Promise<FrameView[]> {
  const views: FrameView[] = [];
  // a frame that is being replaced can not be asked
  for (const frame of page.frames()) views.push(await frame.evaluate(readFrame).catch(() => ({ isLoaded: true, loads: 0, events: {}, images: {} })));
  return views;
}

export function countOf(visit: Visit): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { name } of visit.requests) counts[name] = (counts[name] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function modesOf(visit: Visit): Record<string, string> {
  const modes: Record<string, string> = {};
  for (const { name, headers } of visit.requests) {
    const referrer = headers.referer?.replace(/:\d+\/v\d+/, '') ?? 'no referrer';
    modes[name] ??= `${headers.origin === undefined ? 'no-cors' : 'cors'}, ${referrer}`;
  }
  return modes;
}

function isAs(seen: unknown, expected: unknown): boolean {
  return expected === undefined || JSON.stringify(seen) === JSON.stringify(expected);
}

/** An HTML page. */
export function html(body: string, head = ''): { body: string } {
  return { body: `<!doctype html><html><head><title>t</title>${RECORDER}${head}</head><body>${body}</body></html>` };
}
