import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrived, carriedWhole } from './arrival.ts';
import type { Chrome } from './browsers.ts';
import { HelpedChromium, SETTLED_MS } from './helpedChromium.ts';
import { OTHER_HOST, OWN_HOST, type Visit } from './server.ts';
import { SITE, isHelped } from './siteOff.ts';

const ONCE = 'Loaded without Firstscreen, this once';

interface ExtensionPage {
  readonly chrome: {
    readonly tabs: { query(filter: object): Promise<readonly { readonly id: number; readonly url?: string }[]> };
    readonly action: { getTitle(of: object): Promise<string>; getBadgeText(of: object): Promise<string> };
  };
}

/** Of the icon for the tab that shows a page, or for all others. Runs in a page of the extension, as text. */
async function readIcon(url: string | null): Promise<string> {
  const { tabs, action } = (globalThis as unknown as ExtensionPage).chrome;
  const tab = url === null ? undefined : (await tabs.query({})).find((each) => each.url === url);
  const of = tab === undefined ? {} : { tabId: tab.id };
  return `${await action.getTitle(of)} [${await action.getBadgeText(of)}]`;
}

/** By policy every image is held from a page's first, and all goes by the helper: but not in the load that is asked for so. */
describe('a page that looks broken', () => {
  let chromium: HelpedChromium;
  let popup: Page;
  let page: Page;
  beforeAll(async () => {
    chromium = await HelpedChromium.start('popup.html');
    popup = chromium.own;
  });
  beforeEach(async () => {
    page = await chromium.browser.context.newPage();
    // the popup says how things stand for the tab in front
    await page.bringToFront();
  });
  afterEach(() => page.close());
  afterAll(() => chromium.close());

  const headline = (): Promise<string> => popup.locator('#headline').innerText();
  const click = (id: string): Promise<void> => popup.evaluate((of) => document.getElementById(of)?.click(), id);
  const iconOf = (visit: Visit | null): Promise<string> => popup.evaluate(readIcon, visit?.url('/') ?? null);
  /** What a document names is asked for when it is the one that is shown. */
  const loadsOf = (visit: Visit): number => visit.requests.filter(({ name }) => name === `${OWN_HOST}/near.jpg`).length;

  async function visitOf(): Promise<Visit> {
    const visit = chromium.server.visit(SITE);
    await page.goto(visit.url('/'), { waitUntil: 'commit' });
    return visit;
  }

  /** Loads what is shown anew by the popup. */
  async function goWithout(visit: Visit): Promise<void> {
    await expect.poll(() => popup.locator('#without').isVisible()).toBe(true);
    await click('without');
    await expect.poll(() => loadsOf(visit)).toBe(2);
    await arrived(page);
    await expect.poll(headline).toBe(ONCE);
  }

  it('is loaded once with nothing held and nothing by the helper, of whatever host; the next page has both again', async () => {
    const visit = await visitOf();
    await isHelped(chromium, visit);
    await arrived(page);
    const before = await carriedWhole(chromium.helper, visit);
    expect(before.some((url) => url.startsWith(visit.url('/', OTHER_HOST)))).toBe(true);

    await goWithout(visit);
    // the browser may tell of the load later than of what it asks for
    await expect.poll(() => chromium.countsOf(visit)).toEqual({ held: 0, released: 0 });
    await expect.poll(() => iconOf(visit)).toBe(`Firstscreen: ${ONCE} []`);
    expect(await iconOf(null)).toBe('Firstscreen is working []');
    await sleep(SETTLED_MS);
    expect(await chromium.carried(visit)).toEqual(before);

    const next = await visitOf();
    await isHelped(chromium, next);
    await expect.poll(headline).not.toBe(ONCE);
    await expect.poll(() => iconOf(next)).toBe('Firstscreen is working []');
  });

  it('can be left alone from then on, and is shown so by the icon', async () => {
    const visit = await visitOf();
    await isHelped(chromium, visit);
    await arrived(page);
    await goWithout(visit);
    expect(await popup.locator('#off-here').innerText()).toContain(OWN_HOST);
    await click('off-here');
    await expect.poll(headline).toBe('Off for this site');
    expect(await popup.locator('#siteEnabled').isChecked()).toBe(false);
    expect(await popup.locator('#without').isVisible()).toBe(false);
    await expect.poll(() => iconOf(visit)).toBe('Firstscreen: Off for this site []');
    const next = await visitOf();
    await arrived(page);
    expect(await chromium.countsOf(next)).toEqual({ held: 0, released: 0 });
    await click('siteEnabled');
    await expect.poll(headline).not.toBe('Off for this site');
    await expect.poll(() => iconOf(next)).toBe('Firstscreen is working []');
  });

  it('is not the matter of a page of the browser, and an icon says that all is off', async () => {
    await page.goto('chrome://version');
    await page.bringToFront();
    await popup.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ nextPage: false }));
    await expect.poll(headline).toBe('Not on this page');
    expect(await popup.locator('#broken').isVisible()).toBe(false);
    await click('enabled');
    await expect.poll(() => iconOf(null)).toBe('Firstscreen: Off [off]');
    await expect.poll(headline).toBe('Off');
    await click('enabled');
    await expect.poll(() => iconOf(null)).toBe('Firstscreen is working []');
  });
});
