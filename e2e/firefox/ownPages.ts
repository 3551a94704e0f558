import type { Page } from 'puppeteer-core';
import { FIREFOX_ADDON_ID } from '../../shared/src/protocol/identity.ts';
import { until } from '../browsers/until.ts';

/** Firefox makes up a host for the pages of an extension, unless it is told one. */
const PAGE_HOST = '5b1d7a52-3f0e-4c7e-9d52-6a8f1f3c2e01';

/** Of a Firefox whose extension has that host. */
export const PAGE_HOST_PREFERENCE = { 'extensions.webextensions.uuids': JSON.stringify({ [FIREFOX_ADDON_ID]: PAGE_HOST }) };

/** Has a tab show a page of the extension, until it is ready. */
export async function showOwnPage(tab: Page, path: string): Promise<Page> {
  // Firefox takes another process for it, and puppeteer does not hear of its end
  void tab.goto(`moz-extension://${PAGE_HOST}/${path}`).catch(() => undefined);
  await until(() => tab.evaluate(() => 'ready' in document.body.dataset).catch(() => false), `${path} is there`);
  return tab;
}
