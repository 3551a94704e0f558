import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { changeSettings, goesByHelper } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { carriedBy } from './arrival.ts';
import type { TestBrowser } from './browsers.ts';
import { readCounts } from './extensionPage.ts';
import { Ground } from './ground.ts';
import { OTHER_HOST, OWN_HOST, type TestServer, type Visit } from './server.ts';

/** In which the browser has taken another script for its proxy, and the helper has written down what it was asked for and should not have been. */
export const SETTLED_MS = 1_200;

/** Chromium by policy, whose gate holds every image from a page's first and whose requests go by a helper that knows the test server. */
export class HelpedChromium {
  readonly ground: Ground;
  readonly browser: TestBrowser;
  /** A page of the extension, in a tab of its own. */
  readonly own: Page;
  readonly helper: OwnNamesHelper;

  private constructor(ground: Ground, browser: TestBrowser, own: Page, helper: OwnNamesHelper) {
    this.ground = ground;
    this.browser = browser;
    this.own = own;
    this.helper = helper;
  }

  /** @param ownPage the page of the extension to open, as in `options.html` @param settings beside the usual ones */
  static async start(ownPage: string, settings: Readonly<Record<string, boolean>> = {}): Promise<HelpedChromium> {
    const ground = await Ground.make();
    const helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST], [`--extension-id=${ground.installation.extensionId}`]);
    const browser = await ground.openFirstscreen(helper.script);
    await changeSettings(browser.context, { connections: true, anyLink: true, ...settings });
    assert(await goesByHelper(browser.context, ground.server.helpersUrl), 'the connections of the helper are not in use');
    const own = await browser.openOwnPage(ownPage);
    return new HelpedChromium(ground, browser, own, helper);
  }

  get server(): TestServer {
    return this.ground.server;
  }

  /** In a tab of its own. Settles when the answer begins: Chromium's `load` waits for held images. */
  async open(visit: Visit): Promise<Page> {
    const page = await this.browser.context.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'commit' });
    return page;
  }

  countsOf(visit: Visit): ReturnType<typeof readCounts> {
    return this.own.evaluate(readCounts, visit.url('/'));
  }

  /** What of a visit has gone by the helper. */
  carried(visit: Visit, hosts?: readonly string[]): Promise<string[]> {
    return carriedBy(this.helper, visit, hosts);
  }

  async close(): Promise<void> {
    await this.ground.close();
    await this.helper.remove();
  }
}
