import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { FIREFOX } from './executables.ts';

/**
 * Upgrades to HTTPS would change how a page was recorded; the others call home over the measured link. Puppeteer's own
 * preferences silence the rest.
 */
const PREFERENCES = {
  'dom.security.https_first': false,
  'network.stricttransportsecurity.preloadlist': false,
  'network.trr.mode': 5,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': '',
  // Time zero is performance.timeOrigin.
  'privacy.reduceTimerPrecision': false,
};

export interface FirefoxSetup {
  readonly userDataDir: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Directory of an unpacked extension, null for a stock browser. */
  readonly extension: string | null;
  readonly environment: Readonly<Record<string, string>>;
}

/** A running Firefox with one blank page. */
export interface RunningFirefox {
  readonly browser: Browser;
  readonly page: Page;
  readonly close: () => Promise<void>;
}

/** Starts Firefox over WebDriver BiDi, which Playwright does not speak with a distribution's Firefox. */
export async function launchFirefox(setup: FirefoxSetup): Promise<RunningFirefox> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    userDataDir: setup.userDataDir,
    headless: true,
    defaultViewport: setup.viewport,
    // The test authority is no authority of Firefox's.
    acceptInsecureCerts: true,
    extraPrefsFirefox: PREFERENCES,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: { ...process.env, HOME: setup.userDataDir, ...setup.environment },
  });
  const close = () => browser.close();
  try {
    if (setup.extension !== null) await browser.installExtension(setup.extension);
    const page = (await browser.pages())[0] ?? (await browser.newPage());
    return { browser, page, close };
  } catch (error) {
    await close();
    throw error;
  }
}
