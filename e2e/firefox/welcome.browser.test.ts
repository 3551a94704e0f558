import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { EXTENSIONS } from '../browsers/executables.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

/** In which a page that is to open would have. */
const OPENS_MS = 3_000;

interface Extension {
  readonly chrome: { readonly permissions: { remove(permissions: object): Promise<boolean> } };
}

const statesOf = (page: Page): Promise<(string | undefined)[]> => page.evaluate(() => [...document.querySelectorAll<HTMLElement>('#steps > li')].map((item) => item.dataset['state']));
const textOf = (page: Page, id: string): Promise<string | undefined> => page.evaluate((name) => document.getElementById(name)?.textContent, id);

it('Firefox: the welcome page asks for access, and turns green by itself as a helper is installed and its connections are switched on', async () => {
  const browser = await FirefoxBrowser.firstscreen({ preferences: { 'extensions.webextOptionalPermissionPrompts': false } });
  try {
    const page = await browser.openOwnPage('welcome.html');
    await expect.poll(() => statesOf(page)).toEqual(['done', 'open', 'waits', 'waits', 'waits']);
    expect(await textOf(page, 'summary')).toBe('Firstscreen is set up.');
    expect(await page.evaluate(() => (globalThis as unknown as Extension).chrome.permissions.remove({ origins: ['http://*/*', 'https://*/*'] }))).toBe(true);
    await expect.poll(() => statesOf(page)).toEqual(['needed', 'open', 'waits', 'waits', 'waits']);
    expect(await textOf(page, 'summary')).toContain('access to websites');
    await page.click('#allow');
    await expect.poll(() => statesOf(page)).toEqual(['done', 'open', 'waits', 'waits', 'waits']);
    expect(await textOf(page, 'said')).toBe('Done: Access to websites.');
    await browser.installHelper();
    await expect.poll(() => statesOf(page)).toEqual(['done', 'done', 'open', 'waits', 'open']);
    await page.click('#connections');
    await expect.poll(async () => (await statesOf(page)).slice(0, 3)).toEqual(['done', 'done', 'done']);
    expect(await textOf(page, 'said')).toBe('Done: Connections of the helper.');
  } finally {
    await browser.close();
  }
});

it('Firefox: what is loaded for a time, as by the benchmark, opens no tab', async () => {
  const { browser, close } = await launchFirefox({ userDataDir: temporaryDirectory(), viewport: { width: 800, height: 600 }, extension: path.join(EXTENSIONS, 'firefox'), environment: {} });
  try {
    await sleep(OPENS_MS);
    expect((await browser.pages()).map((page) => page.url())).toEqual(['about:blank']);
  } finally {
    await close();
  }
});
