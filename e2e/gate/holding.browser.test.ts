import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { INSTALLATIONS, type TestBrowser } from './browsers.ts';
import { Bench, html } from './harness.ts';
import { OTHER_HOST, type Site, type Visit } from './server.ts';

/** More than the least window has room for, and then as many again. */
const MANY = 60;
/** Less than the least window has room for, at the size that images have at first. */
const FEW = 3;
const FRAMES = 3;
const IMAGE = /\.(png|jpg)/;
/** On a fast link nothing is held; the first answer tells the round trip. */
const SLOW_LINK = '/?delay=400';

/** The gate as it is installed. Unpacked: photographs are held from a page's start until the link has room, and again when it is full. Managed: all, from when it is full. */
describe.each(INSTALLATIONS)('holding while the link is full: %s', (installation) => {
  let bench: Bench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await Bench.start(installation);
  });
  beforeEach(async () => {
    browser = await bench.openFirstscreenWhenFull();
  });
  afterEach(() => browser.close());
  afterAll(() => bench.close());

  /** Of two hosts, because what waits for one of a host's six connections uses no link; every fifth an icon, which passes. */
  const images = (count: number, query = ''): string =>
    Array.from({ length: count }, (_, i) => `<p><img id=i${i} src="${i % 2 === 0 ? 'OWN' : 'OTHER'}/n${i}.${i % 5 === 0 ? 'png' : 'jpg'}${query}" width=300 height=100></p>`).join('');
  const append = (count: number, query: string): string =>
    `for (let i = 0; i < ${count}; i += 1) { const image = new Image(300, 100); image.id = 'later' + i; document.body.append(image); image.src = 'later' + i + '.jpg${query}' }`;
  const later = (count: number, delayMs: number): string => `<script>setTimeout(() => { ${append(count, '')} }, ${delayMs})</script>`;
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
    const stock = await bench.observe(bench.stock, site, options);
    const firstscreen = await bench.observe(browser, site, options, stock);
    expect(firstscreen.requests).toEqual(stock.requests);
    expect(firstscreen.frames).toEqual(stock.frames);
    expect(firstscreen.picture.equals(stock.picture), 'the same picture').toBe(true);
  }

  // a gate that decides per request has no rules that could be asked
  if (installation === 'unpacked') {
    it('holds while the page loads, and lets pass when it has loaded', async () => {
      let held = false;
      await expectSameAsStock({ '/': html(`${images(MANY)}${later(MANY, 200)}`) }, async (page, visit) => {
        await expect.poll(() => asked(visit)).toBeGreaterThan(0);
        await page.waitForTimeout(300);
        held ||= await browser.isHolding();
        visit.letGo();
      });
      expect(held).toBe(true);
      await expect.poll(() => browser.isHolding()).toBe(false);
    });

    it('holds nothing on a link that is known as a fast one', async () => {
      // the least of many round trips is a short one, however busy the machine
      await bench.observe(browser, { '/': html(images(MANY)) });
      await expectSameAsStock({ '/': html(images(MANY)) }, async (page, visit) => {
        await expect.poll(() => asked(visit)).toBeGreaterThan(0);
        expect(await browser.isHolding()).toBe(false);
        await page.waitForTimeout(300);
        expect(await browser.isHolding()).toBe(false);
        visit.letGo();
      }, '/');
    });

    it('leaves images alone that are asked for when the link has room', () => expectSameAsStock({ '/': html(later(FEW, 500)) }, async (page, visit) => {
      await expect.poll(() => asked(visit)).toBe(FEW);
      expect(await browser.isHolding()).toBe(false);
      await untilHeld(page, visit);
    }));
  }

  it('shows the page the errors of images that were held and of those that passed, and asks for none of them twice', () =>
    expectSameAsStock({ '/': html(`${images(MANY, '?status=404')}${afterLoad(FEW, '?status=404')}`) }));

  it('is not disturbed by frames that navigate: the change of the rules makes the browser drop its memory cache there', async () => {
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
