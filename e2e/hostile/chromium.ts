import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';
import { chromiumOrigin } from '../../shared/src/protocol/identity.ts';
import { CHROMIUM } from '../browsers/executables.ts';
import { writeChromiumHelper } from '../browsers/helperScript.ts';
import { copyInstalledExtension, createManagedBrowser, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { until } from '../browsers/until.ts';
import { enterMode, modeInForce, toggleSwitch, type BedBrowser, type BedSetup } from './bedBrowser.ts';
import { bundleOf } from './settings.ts';
import { tabOf } from './puppeteerTab.ts';
import type { Tab } from './tab.ts';

const EXTENSION_DIR = bundleOf('chromium');
const WORKER_LIMIT_MS = 10_000;
export const VIEWPORT = { width: 800, height: 600 };
/** The driver's own switches would take away what a user's browser does: pages in the back/forward cache, checks of the local network. */
const SWITCHES = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars',
  '--disable-popup-blocking', '--autoplay-policy=no-user-gesture-required', '--disable-backgrounding-occluded-windows', '--disable-renderer-backgrounding', '--disable-background-timer-throttling',
  '--remote-debugging-pipe', 'about:blank',
];
const ERROR_CODES = /net::\w+/;

/** Installed by policy once; each mode begins with a copy. */
let installed: Promise<ManagedBrowser> | undefined;

/** Starts Chromium; in all modes but stock with the extension that a policy has installed. */
export async function startChromium(setup: BedSetup): Promise<BedBrowser> {
  const profile = path.join(setup.dir, 'user');
  await mkdir(profile, { recursive: true });
  const managed = setup.mode === 'stock' ? null : await (installed ??= createManagedBrowser(EXTENSION_DIR, setup.dir));
  if (managed !== null) {
    await copyInstalledExtension(managed, profile);
    const script = setup.helper(managed.extensionId);
    if (script !== null) await writeChromiumHelper(profile, script, chromiumOrigin(managed.extensionId));
  }
  const browser = await puppeteer.launch({
    browser: 'chrome', executablePath: managed?.executable ?? CHROMIUM, pipe: true, defaultViewport: VIEWPORT, ignoreDefaultArgs: true,
    args: [`--user-data-dir=${profile}`, `--load-extension=${setup.blockerDir}`, ...SWITCHES],
    env: { ...process.env, HOME: setup.trustedHome },
  });
  const crashes: string[] = [];
  let isClosing = false;
  browser.on('disconnected', () => isClosing || crashes.push('Chromium ended'));
  const popup = managed && (await browser.newPage());
  if (popup !== null) {
    await popup.goto(`chrome-extension://${managed?.extensionId ?? ''}/popup.html`);
    await enterMode(popup, setup.mode);
  }
  return {
    crashes,
    newTab: () => newTab(browser.newPage()),
    newPrivateTab: async () => newTab((await browser.createBrowserContext()).newPage()),
    async stopWorker() {
      if (popup !== null && managed !== null) await stopWorkerOf(popup, managed.extensionId);
    },
    async toggle() {
      if (popup === null) throw new Error('there is no popup in stock');
      await toggleSwitch(popup);
    },
    async inForce() {
      if (popup !== null) await modeInForce(popup, setup.mode);
    },
    close() {
      isClosing = true;
      return browser.close();
    },
  };

  async function newTab(opened: Promise<Page>): Promise<Tab> {
    const page = await opened;
    page.on('error', () => crashes.push(`a page crashed: ${page.url()}`));
    // tabs of cases that run at once are all in front, for their pages
    await page.emulateFocusedPage(true);
    return tabOf(page, ERROR_CODES);
  }
}

/** Has the browser stop the service worker of an extension, which the popup keeps awake. @throws when it did not stop */
async function stopWorkerOf(popup: Page, extensionId: string): Promise<void> {
  const session = await popup.createCDPSession();
  try {
    const states = new Map<string, string>();
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { versionId, scriptURL, runningStatus } of versions) if (scriptURL.includes(`://${extensionId}/`)) states.set(versionId, runningStatus);
    });
    const is = (what: string): (() => string) => () => `the extension's worker is ${what}: ${[...states.values()].join()}`;
    await session.send('ServiceWorker.enable');
    const running = (): string | undefined => [...states].find(([, state]) => state === 'running')?.[0];
    await until(() => running() !== undefined, is('running'), WORKER_LIMIT_MS);
    const versionId = running() ?? '';
    let wasStopped = false;
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      wasStopped ||= versions.some((version) => version.versionId === versionId && version.runningStatus.startsWith('stop'));
    });
    await session.send('ServiceWorker.stopWorker', { versionId });
    await until(() => wasStopped, is('stopped'), WORKER_LIMIT_MS);
  } finally {
    await session.detach();
  }
}
