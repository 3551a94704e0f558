import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { FIREFOX_ADDON_ID } from '../../shared/src/protocol/identity.ts';
import { FIREFOX } from '../browsers/executables.ts';
import { writeFirefoxHelper } from '../browsers/helperScript.ts';
import { extensionProcessOf } from '../firefox/extensionProcess.ts';
import { PAGE_HOST_PREFERENCE, showOwnPage } from '../firefox/ownPages.ts';
import { enterMode, modeInForce, toggleSwitch, type BedBrowser, type BedSetup } from './bedBrowser.ts';
import { fillCertificateStore, makeCertificateStore } from './certificates.ts';
import { VIEWPORT } from './chromium.ts';
import { bundleOf } from './settings.ts';
import { tabOf } from './puppeteerTab.ts';
import type { Tab } from './tab.ts';
import { trustAuthorityOf } from './bedHelper.ts';

const EXTENSION_DIR = bundleOf('firefox');
const ERROR_CODES = /NS_ERROR_\w+|SEC_ERROR_\w+|SSL_ERROR_\w+/;
const PREFERENCES = {
  ...PAGE_HOST_PREFERENCE,
  'network.trr.mode': 5,
  'security.default_personal_cert': 'Select Automatically',
  'dom.disable_open_during_load': false,
  // what takes its time on two cores: processes for pages, and the animations of its own window, drawn by the processor
  'ui.prefersReducedMotion': 1,
  'dom.ipc.processCount': 2,
  'dom.ipc.processPrelaunch.enabled': false,
  // else it starts no process for extensions any more once that has been killed six times in half a minute
  'extensions.webextensions.crash.threshold': 1_000,
};

/** Starts Firefox, in all modes but stock with the extension. */
export async function startFirefox(setup: BedSetup): Promise<BedBrowser> {
  const home = setup.dir;
  const profile = path.join(home, 'profile');
  await mkdir(profile, { recursive: true });
  makeCertificateStore(profile);
  fillCertificateStore(profile, setup.certificates);
  trustAuthorityOf(setup.trustedHome, profile);
  const script = setup.helper(FIREFOX_ADDON_ID);
  if (script !== null) await writeFirefoxHelper(home, script);
  const browser = await puppeteer.launch({
    browser: 'firefox', executablePath: FIREFOX, headless: true, defaultViewport: VIEWPORT, userDataDir: profile, extraPrefsFirefox: PREFERENCES, networkEnabled: setup.tellsFailures,
    // for the pages of the extension
    args: ['--remote-allow-system-access'],
    env: { ...process.env, HOME: home },
  });
  await browser.installExtension(setup.blockerDir);
  const crashes: string[] = [];
  let isClosing = false;
  browser.on('disconnected', () => isClosing || crashes.push('Firefox ended'));
  let popup: Promise<Page> | null = null;
  if (setup.mode !== 'stock') {
    await browser.installExtension(EXTENSION_DIR);
    await enterMode(await thePopup(), setup.mode);
  }
  const turns = new Turns();
  return {
    crashes,
    newTab: () => newTab(browser),
    newPrivateTab: async () => newTab(await browser.createBrowserContext()),
    async stopWorker() {
      const pid = browser.process()?.pid;
      if (setup.mode === 'stock' || pid === undefined) return;
      // it lives in that process, too
      await (await popup)?.close();
      popup = null;
      process.kill(extensionProcessOf(pid), 'SIGKILL');
    },
    toggle: async () => toggleSwitch(await thePopup()),
    inForce: async () => (setup.mode === 'stock' ? undefined : modeInForce(await thePopup(), setup.mode)),
    close() {
      isClosing = true;
      return browser.close();
    },
  };

  function newTab(context: Pick<Browser, 'newPage'>): Promise<Tab> {
    return turns.take(async () => tabOf(await context.newPage(), ERROR_CODES, (close) => turns.take(close)));
  }

  function thePopup(): Promise<Page> {
    return (popup ??= browser.newPage().then((tab) => showOwnPage(tab, 'popup.html')));
  }
}

/** One after the other: Firefox fails to open a tab while another one closes (DiscardedBrowsingContextError). */
class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(run: () => Promise<T>): Promise<T> {
    const turn = this.last.then(run, run);
    this.last = turn;
    return turn;
  }
}
