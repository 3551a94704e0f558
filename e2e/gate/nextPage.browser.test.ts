import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSettings, goesByHelper } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import type { TestBrowser } from './browsers.ts';
import { Ground } from './ground.ts';
import { html } from './harness.ts';
import { OTHER_HOST, OWN_HOST, type LoggedRequest, type Site, type Visit } from './server.ts';

const LINKS = ['next', 'second', 'third', 'fourth'] as const;
const LINK_HEIGHT_PX = 60;
/** In the middle of the first link, and below all of them. */
const ON_LINK = { x: 40, y: LINK_HEIGHT_PX / 2 };
const OFF_LINK = { x: 40, y: 560 };
/** In which a link that is pointed at would have been asked for. */
const NOTHING_MS = 700;
const STYLE = `<style>body{margin:0}a{display:block;height:${LINK_HEIGHT_PX}px}</style>`;
const SITE: Site = {
  '/': html(`${LINKS.map((name) => `<a href=${name}.html>${name}</a>`).join('')}<script>mutations = 0; new MutationObserver((records) => mutations += records.length).observe(document, { subtree: true, childList: true, attributes: true })</script>`, STYLE),
  ...Object.fromEntries(LINKS.map((name) => [`/${name}.html`, html(`<h1>${name}</h1>`, '<link rel=stylesheet href=style.css>')])),
  '/style.css': { type: 'text/css', body: 'h1{color:red}' },
};

/** Links that the pointer rests on, or presses, with the helper's connections. A browser, and so a helper, for each: the budget is an hour's. */
describe('the next page', () => {
  let ground: Ground;
  let helper: OwnNamesHelper;
  beforeAll(async () => {
    ground = await Ground.make('unpacked');
    helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST], [`--extension-id=${ground.installation.extensionId}`]);
  });
  afterAll(async () => {
    await ground.close();
    await helper.remove();
  });

  interface Opened {
    readonly browser: TestBrowser;
    readonly visit: Visit;
    readonly page: Page;
  }

  /** The page with the links, in a browser of its own. */
  async function open<T>(use: (opened: Opened) => Promise<T>, settings: Readonly<Record<string, boolean>> = {}, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    const browser = await ground.openFirstscreenWhenFull(helper.script);
    try {
      await changeSettings(browser.context, { connections: true, anyLink: true, nextPage: true, ...settings });
      // of a page that came another way nothing is known
      expect(await goesByHelper(browser.context, ground.server.helpersUrl)).toBe(true);
      const visit = ground.server.visit(SITE);
      const page = await browser.context.newPage();
      await page.setExtraHTTPHeaders(headers);
      await page.mouse.move(OFF_LINK.x, OFF_LINK.y);
      await page.goto(visit.url('/'), { waitUntil: 'load' });
      // the content script hears what is wanted of it a moment after its start
      await sleep(NOTHING_MS);
      return await use({ browser, visit, page });
    } finally {
      await browser.close();
    }
  }

  const requestsFor = (visit: Visit, name: string): LoggedRequest[] => visit.requests.filter((request) => request.name === `${OWN_HOST}/${name}`);
  const purposesOf = (visit: Visit, name: string): unknown[] => requestsFor(visit, name).map(({ headers }) => headers['sec-purpose']);
  const pointAt = (page: Page, place = 0): Promise<void> => page.mouse.move(ON_LINK.x, ON_LINK.y + place * LINK_HEIGHT_PX);

  /** Clicks where the pointer is, and waits until the page is there. */
  async function follow(page: Page, name: string): Promise<void> {
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForURL(`**/${name}.html`, { waitUntil: 'load' });
    expect(await page.textContent('h1')).toBe(name);
  }

  it('of a link that the pointer rests on is asked for once in all, with what lays it out, and the page sees nothing', async () => {
    await open(async ({ visit, page }) => {
      await pointAt(page);
      await expect.poll(() => requestsFor(visit, 'style.css')).toHaveLength(1);
      expect(await page.evaluate('mutations')).toBe(0);
      await follow(page, 'next');
      expect(purposesOf(visit, 'next.html')).toEqual(['prefetch']);
      expect(purposesOf(visit, 'style.css')).toEqual(['prefetch']);
      expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).color')).toBe('rgb(255, 0, 0)');
      await page.goBack();
      await follow(page, 'next');
    });
  });

  it('of a link that is pressed is asked for before it is let go', async () => {
    await open(async ({ visit, page }) => {
      visit.hold(/next\.html/);
      await pointAt(page);
      await page.mouse.down();
      await expect.poll(() => purposesOf(visit, 'next.html')).toEqual(['prefetch']);
      await page.mouse.up();
      visit.letGo();
      await page.waitForURL('**/next.html', { waitUntil: 'load' });
      expect(purposesOf(visit, 'next.html')).toEqual(['prefetch']);
    });
  });

  it('of a link that the pointer has only passed is not asked for', async () => {
    await open(async ({ visit, page }) => {
      await page.evaluate("passed = []; addEventListener('pointerover', ({ target }) => passed.push(target.localName))");
      // at once, or a busy machine has it rest there; with the key the browser does not take both for one move
      await Promise.all([pointAt(page), page.keyboard.press('Shift'), page.mouse.move(OFF_LINK.x, OFF_LINK.y)]);
      await sleep(NOTHING_MS);
      expect(await page.evaluate('passed')).toEqual(['a', 'html']);
      expect(requestsFor(visit, 'next.html')).toEqual([]);
    });
  });

  it('is that of two links an hour at most, unless they are followed', async () => {
    await open(async ({ visit, page }) => {
      for (const place of [0, 1]) {
        await pointAt(page, place);
        await expect.poll(() => requestsFor(visit, `${LINKS[place]}.html`)).toHaveLength(1);
      }
      await pointAt(page, 2);
      await sleep(NOTHING_MS);
      expect(requestsFor(visit, 'third.html')).toEqual([]);
      await pointAt(page, 1);
      await follow(page, 'second');
      expect(purposesOf(visit, 'second.html')).toEqual(['prefetch']);
      await page.goto(visit.url('/'), { waitUntil: 'load' });
      await sleep(NOTHING_MS);
      await pointAt(page, 3);
      await expect.poll(() => purposesOf(visit, 'fourth.html')).toEqual(['prefetch']);
    });
  });

  it('is asked for by the browser itself when the cookies have changed meanwhile', async () => {
    await open(async ({ visit, page }) => {
      await pointAt(page);
      await expect.poll(() => requestsFor(visit, 'next.html')).toHaveLength(1);
      await page.evaluate('document.cookie = "a=1"');
      await follow(page, 'next');
      expect(requestsFor(visit, 'next.html').map(({ headers }) => [headers['sec-purpose'], headers.cookie])).toEqual([['prefetch', undefined], [undefined, 'a=1']]);
    });
  });

  it.each<[string, Readonly<Record<string, boolean>>, Readonly<Record<string, string>>]>([
    ['that is not switched on', { nextPage: false }, {}],
    ['of a user who saves data', {}, { 'save-data': 'on' }],
  ])('%s is the browser\'s alone', async (_, settings, headers) => {
    await open(async ({ visit, page }) => {
      await pointAt(page);
      await sleep(NOTHING_MS);
      expect(requestsFor(visit, 'next.html')).toEqual([]);
      await follow(page, 'next');
      expect(purposesOf(visit, 'next.html')).toEqual([undefined]);
    }, settings, headers);
  });

  it('is the browser\'s alone in a page that is open when it is switched off', async () => {
    await open(async ({ browser, visit, page }) => {
      await changeSettings(browser.context, { nextPage: false });
      await sleep(NOTHING_MS);
      await pointAt(page);
      await sleep(NOTHING_MS);
      expect(requestsFor(visit, 'next.html')).toEqual([]);
    });
  });
});
