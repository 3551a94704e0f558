import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { HELPER } from '../browsers/executables.ts';
import { changeSettings, helperEnvironment, trustHelper } from '../browsers/extension.ts';
import { Installation, TestBrowser } from './browsers.ts';
import { DRIVER_STATUS, FakeDriver } from './fakeDriver.ts';
import { helperWithDriver, realHelper } from './fakeHelper.ts';

const WIDTHS_PX = [320, 800, 1600];
const RTL_PX = 320;
/** In which another page would have opened. */
const OPENS_MS = 2_000;
const STEPS = ['access', 'helper', 'connections', 'trust', 'driver'];
/** No page of the web is loaded. */
const NO_ORIGIN = 'http://127.0.0.1';

const statesOf = (page: Page): Promise<(string | undefined)[]> => page.locator('#steps > li').evaluateAll((items) => items.map((item) => item.dataset['state']));
const textOf = (page: Page, id: string): Promise<string> => page.locator(`#${id}`).innerText();

it('opens in a tab of its own, one, when the extension has been installed', async () => {
  const installation = await Installation.makeShipped();
  const browser = await TestBrowser.firstscreenWhenFull(NO_ORIGIN, installation);
  try {
    const opened = (): string[] => browser.context.pages().map((page) => page.url()).filter((url) => url !== 'about:blank');
    await expect.poll(opened).toEqual([new URL('welcome.html', installation.origin).href]);
    await new Promise((resolve) => setTimeout(resolve, OPENS_MS));
    expect(opened()).toHaveLength(1);
  } finally {
    await browser.close();
    await installation.remove();
  }
});

describe('the welcome page', () => {
  let installation: Installation;
  let browser: TestBrowser;
  let page: Page;
  /** For what stands in for the user's home, or the machine. */
  let dir: string;
  beforeAll(async () => {
    installation = await Installation.make('unpacked');
  });
  beforeEach(() => void (dir = temporaryDirectory()));
  afterEach(() => browser.close());
  afterAll(() => installation.remove());

  async function open(helper: string | null = null): Promise<void> {
    browser = await TestBrowser.firstscreenWhenFull(NO_ORIGIN, installation, helper, helperEnvironment(dir));
    await browser.worker();
    page = await browser.openOwnPage('welcome.html');
  }

  it('turns green by itself as a helper is installed and its connections are switched on, says so to screen readers, and loses no focus', async () => {
    await open();
    await expect.poll(() => statesOf(page)).toEqual(['done', 'open', 'waits', 'waits', 'waits']);
    expect(await textOf(page, 'summary')).toContain('by itself');
    await page.focus('#step-helper .command button');
    await browser.installHelper();
    await expect.poll(() => statesOf(page)).toEqual(['done', 'done', 'open', 'waits', 'open']);
    expect(await textOf(page, 'said')).toBe('Done: Helper.');
    expect(await page.locator('#step-helper .command').count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id), 'what had the focus is gone').toBe('helper-title');
    await changeSettings(browser.context, { anyLink: true });
    await page.click('label[for=connections]');
    await expect.poll(() => statesOf(page)).toEqual(['done', 'done', 'done', 'open', 'open']);
    expect([await textOf(page, 'said'), await textOf(page, 'summary')]).toEqual(['Done: Connections of the helper.', 'Firstscreen is set up.']);
    expect(await page.locator('#step-trust code').allInnerTexts()).toContain('firstscreen-helper trust');
  });

  it('finds a helper that the options page tells of as well, by itself', async () => {
    await open();
    const options = await browser.openOwnPage('options.html');
    const state = (): Promise<string> => options.locator('#remembered-state').innerText();
    await expect.poll(state).toContain('The helper is not there');
    await page.bringToFront();
    await browser.installHelper();
    await expect.poll(state).toBe('Nothing is remembered.');
  });

  it('turns green for the driver when one is started', async () => {
    const socket = path.join(dir, 'driver.sock');
    await open(helperWithDriver(socket, installation.extensionId));
    await expect.poll(() => textOf(page, 'driver-text')).toBe('No driver runs.');
    const driver = FakeDriver.listen(socket, DRIVER_STATUS);
    try {
      await expect.poll(async () => (await statesOf(page)).at(-1)).toBe('done');
      expect(await textOf(page, 'said')).toBe('Done: Driver.');
    } finally {
      driver.close();
    }
  });

  it('turns green for encrypted connections when the command is run', async () => {
    await open(realHelper(path.join(dir, 'pids'), installation.extensionId));
    await changeSettings(browser.context, { anyLink: true });
    await page.click('label[for=connections]');
    await expect.poll(() => statesOf(page)).toEqual(['done', 'done', 'done', 'open', 'open']);
    await trustHelper(HELPER, dir, null);
    await expect.poll(() => statesOf(page)).toEqual(['done', 'done', 'done', 'done', 'open']);
    expect(await textOf(page, 'trust-text')).toContain('trusts your authority');
  });

  it('copies a command', async () => {
    await open();
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const command = page.locator('#step-helper .command').first();
    await command.locator('button').press('Enter');
    await expect.poll(() => textOf(page, 'said')).toBe('Copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await command.locator('code').innerText());
    await expect.poll(() => command.locator('button').innerText()).toBe('Copy');
  });

  it('has all texts, a name for all that can be used, and fits any width, from right to left too', async () => {
    await open();
    const lacking = await page.evaluate(() => [...document.querySelectorAll('[data-text], h2, dd, .state, .text')].filter(({ textContent }) => textContent === '').map(({ outerHTML }) => outerHTML));
    expect(lacking).toEqual([]);
    expect(await page.locator('body').innerText()).not.toMatch(/\$\d|welcome[A-Z]/);
    expect(await page.locator('article').evaluateAll((articles) => articles.map(({ id }) => id))).toEqual(STEPS.map((name) => `step-${name}`));
    const nameless = await page.evaluate(() => [...document.querySelectorAll<HTMLInputElement | HTMLButtonElement>('input, button')].filter((each) => each.textContent === '' && (each.labels ?? []).length === 0).map(({ outerHTML }) => outerHTML));
    expect(nameless).toEqual([]);
    const overflow = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    for (const width of WIDTHS_PX) {
      await page.setViewportSize({ width, height: 600 });
      expect([width, await overflow()]).toEqual([width, 0]);
    }
    await page.setViewportSize({ width: RTL_PX, height: 600 });
    await page.evaluate(() => (document.documentElement.dir = 'rtl'));
    expect(await overflow()).toBe(0);
    expect(await page.locator('code').first().evaluate((code) => getComputedStyle(code).direction), 'commands are written from left to right').toBe('ltr');
  });

  it('is reached from the options page, and leads there', async () => {
    await open();
    await page.click('a[href="options.html"]');
    await page.waitForSelector('body[data-ready] #site-form');
    await page.click('a[href="welcome.html"]');
    await page.waitForSelector('body[data-ready] #steps');
  });
});
