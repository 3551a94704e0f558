import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestBrowser } from './browsers.ts';
import { Ground } from './ground.ts';
import { SITE } from './siteOff.ts';

/** As wide as it is, and at a zoom of 200 %. */
const WIDTHS = [360, 180];
const HEIGHT = 600;

interface ExtensionPage {
  readonly chrome: {
    readonly action: { openPopup(): Promise<void> };
    readonly extension: { getViews(of: object): readonly Window[] };
  };
}

/** What the popup under the icon shows, as another page of the extension sees it; nothing while it is closed. Runs there, as text. */
function readRealPopup(): object[] {
  // the browser cuts a part of a pixel off
  const { extension } = (globalThis as unknown as ExtensionPage).chrome;
  return extension.getViews({ type: 'popup' }).map(({ innerWidth, innerHeight, document: shown }) => {
    const { documentElement } = shown;
    return { width: innerWidth, isCut: documentElement.scrollHeight > innerHeight + 1 || documentElement.scrollWidth > innerWidth, headline: shown.getElementById('headline')?.innerText, offersSetUp: shown.getElementById('set-up')?.checkVisibility() };
  });
}

describe('the popup, as a page', () => {
  let ground: Ground;
  let browser: TestBrowser;
  let popup: Page;
  beforeAll(async () => {
    ground = await Ground.make('unpacked');
    browser = await ground.openFirstscreen();
    popup = await browser.openOwnPage('popup.html');
  });
  afterAll(() => ground.close());

  it.each(WIDTHS.flatMap((width) => ['ltr', 'rtl'].map((direction) => [width, direction] as const)))('fits into %i px, read %s', async (width, direction) => {
    await popup.setViewportSize({ width, height: HEIGHT });
    await popup.evaluate((dir) => void (document.documentElement.dir = dir), direction);
    expect(await popup.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const cut = await popup.evaluate(() => [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility() && (each.getBoundingClientRect().left < 0 || each.getBoundingClientRect().right > innerWidth)).map(({ id, tagName }) => id || tagName));
    expect(cut).toEqual([]);
  });

  it('opens by its icon as large as what is in it, and says how things stand for the page behind', async () => {
    const { context } = browser;
    const page = await context.newPage();
    await page.goto(ground.server.visit(SITE).url('/'), { waitUntil: 'commit' });
    await page.bringToFront();
    await (await browser.worker()).evaluate(() => (globalThis as unknown as ExtensionPage).chrome.action.openPopup());
    await expect.poll(() => popup.evaluate(readRealPopup)).toEqual([{ width: 360, isCut: false, headline: 'In this browser Firstscreen needs its helper', offersSetUp: true }]);
    await page.close();
  });

  it('has every switch and button within reach of the keyboard, in the order in which they stand', async () => {
    const inReach = await popup.evaluate(() => [...document.querySelectorAll('input, button, summary')].filter((each) => each.checkVisibility()).map(({ id, tagName }) => id || tagName));
    expect(inReach).toEqual(expect.arrayContaining(['enabled', 'remember', 'connections', 'nextPage', 'options']));
    await popup.evaluate(() => document.getElementById('enabled')?.focus());
    const reached = ['enabled'];
    for (const _ of inReach.slice(1)) {
      await popup.keyboard.press('Tab');
      reached.push(await popup.evaluate(() => document.activeElement?.id || document.activeElement?.tagName || ''));
    }
    expect(reached).toEqual(inReach);
  });

  it('has a name for each switch and button, and no text that is not there', async () => {
    const names = await popup.evaluate(() => [...document.querySelectorAll<HTMLInputElement | HTMLButtonElement>('input, button')].filter((each) => each.checkVisibility()).map((each) => each.ariaLabel ?? (each instanceof HTMLInputElement ? each.labels?.[0]?.textContent : each.textContent) ?? ''));
    expect(names.every((name) => /\w\s\w/.test(name))).toBe(true);
    const texts = await popup.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-text]')].map(({ textContent, dataset }) => [dataset['text'], textContent]));
    for (const [key, text] of texts) expect(text).not.toBe(key);
  });
});
