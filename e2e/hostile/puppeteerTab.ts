import type { Page } from 'puppeteer-core';
import { finishedOf, goBack } from './bedBrowser.ts';
import type { Failure, Tab } from './tab.ts';

/** The driver's own 30 s leave no time for what a case does after a page that never comes. */
const OPEN_LIMIT_MS = 20_000;

/**
 * A tab of either browser.
 *
 * @param errorCodes what the browser's codes of failed navigations look like
 * @param close puts the end of a tab where the browser can bear it
 */
export function tabOf(page: Page, errorCodes: RegExp, close: (run: () => Promise<void>) => Promise<void> = (run) => run()): Tab {
  const failures: Failure[] = [];
  page.on('requestfailed', (request) => failures.push({ url: request.url(), code: request.failure()?.errorText ?? '' }));
  return {
    failures,
    open: (url) => page.goto(url, { waitUntil: 'domcontentloaded', timeout: OPEN_LIMIT_MS }).then(() => 'ok', (error: unknown) => errorCodes.exec(String(error))?.[0] ?? String(error)),
    evaluate: (run) => page.evaluate(run),
    finished: () => finishedOf(page),
    goBack: () => goBack(page),
    reload: () => page.reload({ waitUntil: 'domcontentloaded' }).then(() => undefined),
    click: (selector) => page.click(selector),
    print: async () => (await page.pdf({ printBackground: true })).length,
    close: () => close(() => page.close()),
  };
}
