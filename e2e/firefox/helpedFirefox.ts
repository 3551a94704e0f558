import type { Page } from 'puppeteer-core';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { carriedBy } from '../gate/arrival.ts';
import type { Chrome } from '../gate/browsers.ts';
import { readCounts } from '../gate/extensionPage.ts';
import { OTHER_HOST, OWN_HOST, TestServer, type Visit } from '../gate/server.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

/** Firefox with Firstscreen, whose gate holds every image and whose requests go by a helper that knows the test server; its options page is open. */
export class HelpedFirefox {
  readonly server: TestServer;
  readonly options: Page;
  readonly helper: OwnNamesHelper;
  private readonly browser: FirefoxBrowser;

  private constructor(server: TestServer, helper: OwnNamesHelper, browser: FirefoxBrowser, options: Page) {
    this.server = server;
    this.helper = helper;
    this.browser = browser;
    this.options = options;
  }

  static async start(): Promise<HelpedFirefox> {
    const server = await TestServer.start();
    const helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST]);
    const browser = await FirefoxBrowser.firstscreen({ helper: helper.script });
    const options = await browser.openOwnPage('options.html');
    await options.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ connections: true, anyLink: true, alwaysHold: true }));
    await options.waitForFunction(() => document.getElementById('connections-note')?.textContent.startsWith('In use') === true);
    return new HelpedFirefox(server, helper, browser, options);
  }

  /** In a tab of its own. Settles when the document is parsed: Firefox's `load` waits for held images. */
  async open(visit: Visit): Promise<Page> {
    const page = await this.browser.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'domcontentloaded' });
    return page;
  }

  countsOf(visit: Visit): ReturnType<typeof readCounts> {
    return this.options.evaluate(readCounts, visit.url('/'));
  }

  /** What of a visit has gone by the helper. */
  carried(visit: Visit): Promise<string[]> {
    return carriedBy(this.helper, visit);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.helper.remove();
    await this.server.close();
  }
}
