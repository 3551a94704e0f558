import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { FIREFOX, HELPER, TEST_EXTENSIONS } from '../browsers/executables.ts';
import { writeFirefoxHelper } from '../browsers/helperScript.ts';
import { makeCertificateStore } from '../hostile/certificates.ts';
import { OTHER_HOST, OWN_HOST } from '../gate/server.ts';
import { extensionProcessOf } from './extensionProcess.ts';
import { PAGE_HOST_PREFERENCE, showOwnPage } from './ownPages.ts';

const EXTENSION_DIR = path.join(TEST_EXTENSIONS, 'firefox');
const VIEWPORT = { width: 800, height: 600 };

const PREFERENCES = {
  ...PAGE_HOST_PREFERENCE,
  'network.dns.localDomains': `${OWN_HOST},${OTHER_HOST}`,
  // each visit is a first one
  'browser.cache.disk.enable': false,
};

/** A Firefox of the tests, driven over WebDriver BiDi: a fresh profile, closed and deleted with `close`. */
export class FirefoxBrowser {
  private readonly browser: Browser;
  private readonly home: string;
  private addonId: string | null = null;

  private constructor(browser: Browser, home: string) {
    this.browser = browser;
    this.home = home;
  }

  static stock(): Promise<FirefoxBrowser> {
    return FirefoxBrowser.launch({});
  }

  static async firstscreen(options: FirefoxOptions = {}): Promise<FirefoxBrowser> {
    const browser = await FirefoxBrowser.launch(options);
    browser.addonId = await browser.browser.installExtension(EXTENSION_DIR);
    return browser;
  }

  private static async launch({ helper, preferences, prepareStore }: FirefoxOptions): Promise<FirefoxBrowser> {
    const home = await mkdtemp(path.join(tmpdir(), 'firstscreen-firefox-'));
    const profile = path.join(home, 'profile');
    await mkdir(profile);
    if (prepareStore !== undefined) {
      makeCertificateStore(profile);
      prepareStore(profile);
    }
    if (helper !== undefined) await writeFirefoxHelper(home, helper);
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: FIREFOX,
      userDataDir: profile,
      headless: true,
      defaultViewport: VIEWPORT,
      extraPrefsFirefox: { ...PREFERENCES, ...preferences },
      // for the pages of the extension
      args: ['--remote-allow-system-access'],
      env: { ...process.env, HOME: home },
    });
    return new FirefoxBrowser(browser, home);
  }

  newPage(): Promise<Page> {
    return this.browser.newPage();
  }

  /** In a container of its own. */
  async newContainerPage(): Promise<Page> {
    return (await this.browser.createBrowserContext()).newPage();
  }

  /** The popup, as a page of its own. */
  openPopup(): Promise<Page> {
    return this.openOwnPage('popup.html');
  }

  /** A page of the extension, when it is ready. */
  async openOwnPage(path: string): Promise<Page> {
    return showOwnPage(await this.newPage(), path);
  }

  /** Installs the real helper while the browser runs, as its user would. */
  async installHelper(): Promise<void> {
    await promisify(execFile)(process.execPath, [HELPER, 'install', '--browser', 'firefox'], { env: { ...process.env, HOME: this.home, XDG_DATA_HOME: path.join(this.home, 'data') } });
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

  async close(): Promise<void> {
    await this.browser.close();
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface FirefoxOptions {
  /** Text of an executable script that is the helper; without one there is none. */
  readonly helper?: string;
  readonly preferences?: Readonly<Record<string, unknown>>;
  /** Adds to the certificates of its profile, which is a directory of Network Security Services. */
  readonly prepareStore?: (store: string) => void;
}
