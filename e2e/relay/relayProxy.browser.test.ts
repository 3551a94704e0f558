import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeSettings } from '../browsers/extension.ts';
import { FirefoxBrowser } from '../firefox/firefoxBrowser.ts';
import { Installation, TestBrowser, type Chrome } from '../gate/browsers.ts';
import { BY_RELAY, BrowserRelay, DIRECTLY, PAGE_HOST, RELAY_HOST } from './browserRelay.ts';

/** Of the options page: adds the link as its user does, and waits until it says that the relay is in use. */
interface OptionsPage {
  evaluate(run: () => Promise<void>): Promise<unknown>;
  type(selector: string, text: string): Promise<void>;
  click(selector: string): Promise<void>;
  waitForFunction(isSo: () => boolean): Promise<unknown>;
}

let relay: BrowserRelay;
beforeEach(async () => {
  relay = await BrowserRelay.start();
});
afterEach(() => relay.close());

async function addRelay(options: OptionsPage): Promise<void> {
  // loopback is a fast link
  await options.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ anyLink: true }));
  await options.type('#relay-link', relay.link);
  await options.click('#relay-form button');
  await options.waitForFunction(() => document.getElementById('relay-note')?.textContent === 'In use.');
}

it('Chromium without a helper goes by the relay, and directly when it is gone, and its popup says so', async () => {
  const installation = await Installation.make('unpacked');
  const browser = await TestBrowser.firstscreenWhenFull('http://own.test', installation, null, { HOME: relay.home });
  try {
    await browser.worker();
    const options = await browser.openOwnPage('options.html');
    await addRelay(options);
    const popup = await browser.openOwnPage('popup.html');
    const headline = (): Promise<string> => popup.locator('#headline').innerText();
    const page = await browser.context.newPage();
    // Chromium says that it goes by the relay a moment before it does
    await expect.poll(() => page.goto(relay.url).then(() => page.title())).toBe(BY_RELAY);
    await expect.poll(headline).toBe('Your relay is in use');
    await relay.kill();
    await page.goto(relay.url);
    expect(await page.title()).toBe(DIRECTLY);
    // whether it is there is asked ten seconds after its last answer, or when it is switched on
    await changeSettings(browser.context, { relay: false });
    await expect.poll(headline).toBe('In this browser Firstscreen needs its helper');
    await changeSettings(browser.context, { relay: true });
    await expect.poll(headline).toBe('Your relay does not answer');
  } finally {
    await browser.close();
    await installation.remove();
  }
});

it('Firefox without a helper goes by the relay, and directly when it is gone', async () => {
  // nobody could answer Firefox's question for consent
  const preferences = { 'network.dns.localDomains': `${PAGE_HOST},${RELAY_HOST}`, 'extensions.webextOptionalPermissionPrompts': false };
  const browser = await FirefoxBrowser.firstscreen({ preferences, prepareStore: (store) => relay.trustIn(store) });
  try {
    await addRelay(await browser.openOwnPage('options.html'));
    const page = await browser.newPage();
    await page.goto(relay.url);
    expect(await page.title()).toBe(BY_RELAY);
    await relay.kill();
    await page.goto(relay.url);
    expect(await page.title()).toBe(DIRECTLY);
  } finally {
    await browser.close();
  }
});
