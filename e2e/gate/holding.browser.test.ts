import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestBrowser } from './browsers.ts';
import { Bench, expectAlike, html } from './harness.ts';
import { OTHER_HOST, type Site, type Visit } from './server.ts';

/** More than the least window has room for, and then as many again. */
const MANY = 60;
/** Less than the least window has room for, at the size that images have at first. */
const FEW = 3;
const FRAMES = 3;
const IMAGE = /\.(png|jpg)/;
/** On a fast link nothing is held; the first answer tells the round trip. */
const SLOW_LINK = '/?delay=400';

/** The gate as it is installed: images are held from when the link is full. */
describe('holding while the link is full', () => {
  let bench: Bench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  beforeEach(async () => {
    browser = await bench.openFirstscreenWhenFull();
  });
  afterEach(() => browser.close());
  afterAll(() => bench.close());

  /** Of two hosts; every fifth an icon. */
  const images = (count: number, query = ''): string =>
    Array.from({ length: count }, (_, i) => `<p><img id=i${i} src="${i % 2 === 0 ? 'OWN' : 'OTHER'}/n${i}.${i % 5 === 0 ? 'png' : 'jpg'}${query}" width=300 height=100></p>`).join('');
  const append = (count: number, query: string): string =>
    `for (let i = 0; i < ${count}; i += 1) { const image = new Image(300, 100); image.id = 'later' + i; document.body.append(image); image.src = 'later' + i + '.jpg${query}' }`;
  /** When all others have come or failed, so that the link has room again. */
  const afterLoad = (count: number, query: string): string => `<script>addEventListener('load', () => setTimeout(() => { ${append(count, query)} }, 300))</script>`;
  const asked = (visit: Visit): number => visit.requests.filter(({ name }) => IMAGE.test(name)).length;

  /** The server answers no image until the gate has had the time to hold the rest. */
  async function untilHeld(page: Page, visit: Visit): Promise<void> {
    await expect.poll(() => asked(visit)).toBeGreaterThan(0);
    await page.waitForTimeout(300);
    visit.letGo();
  }

  async function expectSameAsStock(site: Site, drive = untilHeld, path = SLOW_LINK): Promise<void> {
    const options = { path, prepare: (visit: Visit) => visit.hold(IMAGE), drive };
    // one after the other: what is done may be done to a tab that both have beside the page
    const stock = await bench.observe(bench.stock, site, options);
    const firstscreen = await bench.observe(browser, site, options, Promise.resolve(stock));
    expectAlike({ stock, firstscreen });
  }

  it('shows the page the errors of images that were held and of those that passed, and asks for none of them twice', () =>
    expectSameAsStock({ '/': html(`${images(MANY, '?status=404')}${afterLoad(FEW, '?status=404')}`) }));

  it('is not disturbed by frames that navigate', async () => {
    const site = Object.fromEntries(Array.from({ length: FRAMES }, (_, i) => [`/frame${i}`, html(images(5, `?frame=${i}`))]));
    const addFrame = (i: number): string => `setTimeout(() => { const frame = document.createElement('iframe'); frame.src = 'frame${i}'; document.body.append(frame) }, ${150 * (i + 1)});`;
    await expectSameAsStock({ ...site, '/': html(`${images(MANY)}<script>${Array.from({ length: FRAMES }, (_, i) => addFrame(i)).join('')}</script>`) });
  });

  it('is not disturbed by another tab that is held, or that has loaded', async () => {
    const other = await browser.context.newPage();
    const otherVisit = bench.server.visit({ '/': html(images(MANY).replaceAll('OWN/', 'OTHER/')) });
    const ownImages = images(MANY).replaceAll('OTHER/', 'OWN/');
    await expectSameAsStock({ '/': html(ownImages) }, async (page, visit) => {
      await expect.poll(() => asked(visit)).toBeGreaterThan(0);
      // the page's images have all connections to its own host
      await other.goto(otherVisit.url('/', OTHER_HOST));
      await untilHeld(page, visit);
    });
  });
});
