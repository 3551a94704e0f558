import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MeasuringPage } from '../measure/measuringPage.ts';
import type { Chrome, TestBrowser } from './browsers.ts';
import { Ground } from './ground.ts';
import { html } from './harness.ts';

/** Before and after a measurement; what that shows has tests of its own (e2e/measure). */
describe('the page that measures', () => {
  let ground: Ground;
  let browser: TestBrowser;
  let own: Page;
  let url: string;
  beforeAll(async () => {
    ground = await Ground.make();
    browser = await ground.openFirstscreen();
    url = ground.server.visit({ '/': html('<p>text</p>') }).url('/');
    await (await browser.context.newPage()).goto(url);
    own = await browser.openOwnPage('measure.html');
    await own.goto(ground.installation.origin + (await MeasuringPage.pathFor(own, url)));
    await own.waitForSelector('body[data-ready]');
  });
  afterAll(() => ground.close());

  const store = (items: object): Promise<void> => own.evaluate((stored) => (globalThis as unknown as Chrome).chrome.storage.local.set(stored), items);

  it('says what is in the way as long as it is, whatever is switched meanwhile', async () => {
    const refusal = (): Promise<string> => own.locator('#refusal').innerText();
    await expect.poll(() => own.locator('#begin').isEnabled()).toBe(true);
    await store({ enabled: false });
    await expect.poll(refusal).toBe('Firstscreen is off: there is nothing to compare.');
    await store({ enabled: true });
    await expect.poll(refusal).toBe('');
    expect(await own.locator('#begin').isEnabled()).toBe(true);
  });

  it('shows what is kept of the site as soon as it is, and moves the focus to the switch above when that is forgotten', async () => {
    await store({ history: [{ host: new URL(url).host, with: [{ isrtMs: 1_200, day: 20_000, link: null }], without: [] }] });
    await own.locator('#forget').waitFor();
    await own.locator('#forget').focus();
    await own.keyboard.press('Enter');
    await expect.poll(() => own.evaluate(() => document.activeElement?.id)).toBe('compareVisits');
    expect(await own.locator('#history-text').innerText()).toContain('only while');
  });

  it('moves the focus from the button that begins to the one that ends it, and from there to the result', async () => {
    const focused = (): Promise<string | undefined> => own.evaluate(() => document.activeElement?.id);
    await own.locator('#begin').focus();
    await own.keyboard.press('Enter');
    await expect.poll(focused).toBe('cancel');
    await own.keyboard.press('Enter');
    await expect.poll(focused).toBe('verdict');
    expect(await own.locator('#verdict').innerText()).toBe('Nothing was measured.');
  });
});
