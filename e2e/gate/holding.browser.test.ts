import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestBrowser } from './browsers.ts';
import { Bench, html } from './harness.ts';
import { OTHER_HOST, type Site, type Visit } from './server.ts';

/** More than the least window has room for, and then as many again. */
const MANY = 60;
const FRAMES = 3;
const IMAGE = /\.png/;

/** The gate as it is installed: images pass until the link is full, and are held from then on. */
describe('holding when the link is full', () => {
  let bench: Bench;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await Bench.start();
  });
  beforeEach(async () => {
    browser = await TestBrowser.firstscreenWhenFull(bench.server.ownOrigin);
  });
  afterEach(() => browser.close());
  afterAll(() => bench.close());

  /** Of two hosts: what waits for one of a host's six connections uses no link. */
  const images = (count: number, query = ''): string => Array.from({ length: count }, (_, i) => `<p><img id=i${i} src="${i % 2 === 0 ? 'OWN' : 'OTHER'}/n${i}.png${query}" width=300 height=100></p>`).join('');
  const asked = (visit: Visit): number => visit.requests.filter(({ name }) => IMAGE.test(name)).length;

  /** The server answers no image until the gate holds, and later ones come when it does. */
  const untilHolding = {
    prepare: (visit: Visit) => visit.hold(IMAGE),
    drive: async (page: Page, visit: Visit) => {
      await expect.poll(() => asked(visit)).toBeGreaterThan(0);
      // the rest of the page is asked for, and held
      await page.waitForTimeout(300);
      visit.letGo();
    },
  };

  async function expectSameAsStock(site: Site, drive: (page: Page, visit: Visit) => Promise<void> = untilHolding.drive): Promise<void> {
    const options = { prepare: untilHolding.prepare, drive };
    const stock = await bench.observe(bench.stock, site, options);
    const firstscreen = await bench.observe(browser, site, options, stock);
    expect(firstscreen.requests).toEqual(stock.requests);
    expect(firstscreen.frames).toEqual(stock.frames);
    expect(firstscreen.picture.equals(stock.picture), 'the same picture').toBe(true);
  }

  it('leaves a page alone that asks for little', async () => {
    let held = false;
    await expectSameAsStock({ '/': html(images(4)) }, async (page, visit) => {
      await expect.poll(() => asked(visit)).toBe(4);
      held = await browser.isHolding();
      await untilHolding.drive(page, visit);
    });
    expect(held).toBe(false);
  });

  it('holds what is asked for when the link is full, shows the page no difference, and lets pass again when it has room', async () => {
    let held = false;
    const late = `for (let i = 0; i < ${MANY}; i += 1) { const image = new Image(300, 100); image.id = 'late' + i; document.body.append(image); image.src = 'late' + i + '.png' }`;
    await expectSameAsStock({ '/': html(`${images(MANY)}<script>setTimeout(() => { ${late} }, 200)</script>`) }, async (page, visit) => {
      await expect.poll(() => asked(visit)).toBeGreaterThan(0);
      await page.waitForTimeout(300);
      held ||= await browser.isHolding();
      visit.letGo();
    });
    expect(held).toBe(true);
    await expect.poll(() => browser.isHolding()).toBe(false);
  });

  it('shows the page the errors of images that passed, and asks for none of them twice', () => expectSameAsStock({ '/': html(images(MANY, '?status=404')) }));

  it('is not disturbed by frames that navigate: the change of the rules makes the browser drop its memory cache there', async () => {
    const site = Object.fromEntries(Array.from({ length: FRAMES }, (_, i) => [`/frame${i}`, html(images(5, `?frame=${i}`))]));
    await expectSameAsStock({
      ...site,
      '/': html(`${images(MANY)}<script>${Array.from({ length: FRAMES }, (_, i) => `setTimeout(() => { const frame = document.createElement('iframe'); frame.src = 'frame${i}'; document.body.append(frame) }, ${150 * (i + 1)});`).join('')}</script>`),
    });
  });

  it('is not disturbed by another tab that begins to be held, or that has loaded', async () => {
    const other = await browser.context.newPage();
    const otherVisit = bench.server.visit({ '/': html(images(MANY)) });
    await expectSameAsStock({ '/': html(images(MANY)) }, async (page, visit) => {
      await expect.poll(() => asked(visit)).toBeGreaterThan(0);
      // the page's images have all connections to its own host
      await other.goto(otherVisit.url('/', OTHER_HOST));
      await untilHolding.drive(page, visit);
    });
  });
});
