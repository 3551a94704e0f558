import path from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { OTHER_HOST, OWN_HOST } from '../gate/server.ts';
import { extensionProcessOf } from './extensionProcess.ts';

const FIREFOX = process.env['FIRSTSCREEN_FIREFOX'] ?? '/usr/bin/firefox-esr';
const EXTENSION_DIR = process.env['FIRSTSCREEN_FIREFOX_EXTENSION_DIR'] ?? path.join(import.meta.dirname, '../../dist/extension/firefox');
const VIEWPORT = { width: 800, height: 600 };

const PREFERENCES = {
  'network.dns.localDomains': `${OWN_HOST},${OTHER_HOST}`,
  // each visit is a first one
  'browser.cache.disk.enable': false,
};

/** A Firefox of the tests, driven over WebDriver BiDi: a fresh profile, closed and deleted with `close`. */
export class FirefoxBrowser {
  private readonly browser: Browser;
  private addonId: string | null = null;

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async stock(): Promise<FirefoxBrowser> {
    return new FirefoxBrowser(
      await puppeteer.launch({
        browser: 'firefox',
        executablePath: FIREFOX,
        headless: true,
        defaultViewport: VIEWPORT,
        extraPrefsFirefox: PREFERENCES,
      }),
    );
  }

  static async firstscreen(): Promise<FirefoxBrowser> {
    const browser = await FirefoxBrowser.stock();
    browser.addonId = await browser.browser.installExtension(EXTENSION_DIR);
    return browser;
  }

  newPage(): Promise<Page> {
    return this.browser.newPage();
  }

  /** Takes the extension away, as a user may while a page loads. */
  async uninstall(): Promise<void> {
    if (this.addonId !== null) await this.browser.uninstallExtension(this.addonId);
    this.addonId = null;
  }

  /** Kills the process that runs the event page, as a lack of memory does. */
  killExtensionProcess(): void {
    const pid = this.browser.process()?.pid;
    if (pid === undefined) throw new Error('Firefox is not running');
    process.kill(extensionProcessOf(pid), 'SIGKILL');
  }

  close(): Promise<void> {
    return this.browser.close();
  }
}
