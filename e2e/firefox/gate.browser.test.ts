import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readFrame, recordEvents, type FrameView } from '../gate/pageRecorder.ts';
import { TestServer, type Site, type Visit } from '../gate/server.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';
import { until } from '../browsers/until.ts';

const NEAR_COUNT = 4;
const FAR_COUNT = 60;
/** Prime to the number of images, so it mixes their distances against document order. */
const MIX = 7;
const FIRST_FAR_PX = 2000;
const STEP_PX = 400;

/** Firefox keeps six connections to a host, so that neighbours may swap. */
const SWAPPED_PLACES = 6;

/**
 * The in-view images come last in the document, where stock Firefox asks for them last. Until the link is full images pass, and until they are laid
 * out a window of off-screen ones may be on the way (work conservation), which the delay keeps from being filled again and again.
 */
const SITE: Site = {
  '/': {
    body: `<!doctype html><meta charset=utf-8><title>gate</title><style>body{height:${FIRST_FAR_PX + FAR_COUNT * STEP_PX}px}img{position:absolute}</style>
      ${Array.from({ length: FAR_COUNT }, (_, i) => farImage((i * MIX) % FAR_COUNT)).join('\n')}
      ${Array.from({ length: NEAR_COUNT }, (_, i) => `<img id=near${i} src="near${i}.jpg?delay=200" width=100 height=100 style="left:${i * 110}px;top:10px">`).join('\n')}`,
  },
};

function farImage(place: number): string {
  return `<img id=far${place} src="far${place}.jpg?delay=200" width=400 height=300 style="top:${FIRST_FAR_PX + place * STEP_PX}px">`;
}

describe('Firefox gate', () => {
  let server: TestServer;
  let browser: FirefoxBrowser;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterEach(() => browser.close());
  afterAll(() => server.close());

  it('asks for what is in view, then for the rest in order of distance, each once; the page sees what it sees without it', async () => {
    browser = await FirefoxBrowser.stock();
    const stock = await loadWhole();
    await browser.close();
    browser = await FirefoxBrowser.firstscreen();
    const firstscreen = await loadWhole();

    const kinds = firstscreen.asked.map(({ kind }) => kind);
    expect(kinds).toHaveLength(FAR_COUNT + NEAR_COUNT);
    const early = kinds.slice(0, kinds.lastIndexOf('near')).filter((kind) => kind === 'far').length;
    expect(early, 'off-screen images asked for before those in view').toBeLessThan(FAR_COUNT / 2);

    // what was let go before the layout was known has gone by the second half
    const places = firstscreen.asked.slice(-FAR_COUNT / 2).map(({ place }) => place);
    const byDistance = [...places].sort((a, b) => a - b);
    for (const [index, place] of places.entries()) expect(Math.abs(byDistance.indexOf(place) - index), `order of far${place}`).toBeLessThanOrEqual(SWAPPED_PLACES);

    expect(firstscreen.requests).toEqual(stock.requests);
    expect(firstscreen.view).toEqual(stock.view);
  });

  it('lets everything go when the extension is taken away', async () => {
    browser = await FirefoxBrowser.firstscreen();
    await expectAllGoAfter(() => browser.uninstall());
  });

  it('lets everything go when the event page is killed', async () => {
    browser = await FirefoxBrowser.firstscreen();
    await expectAllGoAfter(() => browser.killExtensionProcess());
  });

  async function open(visit: Visit): Promise<Page> {
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(recordEvents);
    // Firefox's `load` waits for held images
    await page.goto(visit.url('/?delay=200'), { waitUntil: 'domcontentloaded' });
    return page;
  }

  async function loadWhole(): Promise<{ asked: Asked[]; requests: string[]; view: FrameView }> {
    const visit = server.visit(SITE);
    const page = await open(visit);
    await arrived(page);
    return { asked: askedOf(visit), requests: visit.requests.map(({ name }) => name).sort(), view: await page.evaluate(readFrame) };
  }

  /** In-view images that do not arrive keep the others held; after the fault those must go all the same. */
  async function expectAllGoAfter(fault: () => Promise<void> | void): Promise<void> {
    const visit = server.visit(SITE);
    visit.hold(/near/);
    const page = await open(visit);
    await until(() => askedOf(visit).some(({ kind }) => kind === 'near'));
    expect(askedOf(visit).length, 'something is held').toBeLessThan(FAR_COUNT);
    await fault();
    await until(() => askedOf(visit).length === FAR_COUNT + NEAR_COUNT);
    visit.letGo();
    await arrived(page);
  }
});

interface Asked {
  readonly kind: string;
  readonly place: number;
}

/** The images in the order in which the server was asked for them. */
function askedOf(visit: Visit): Asked[] {
  return visit.requests.flatMap(({ name }) => {
    const [, kind, place] = /\/(near|far)(\d+)\.jpg/.exec(name) ?? [];
    return kind === undefined ? [] : [{ kind, place: Number(place) }];
  });
}

function arrived(page: Page): Promise<void> {
  const isWhole = (count: number): boolean => document.readyState === 'complete' && [...document.images].filter((image) => image.naturalWidth > 0).length === count;
  return until(() => page.evaluate(isWhole, FAR_COUNT + NEAR_COUNT));
}
