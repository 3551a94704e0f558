import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { copyInstalledExtension, createManagedBrowser, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { enterMode, finishedOf, goBack, type BedBrowser, type BedSetup } from './bedBrowser.ts';
import { bundleOf } from './settings.ts';
import type { Tab } from './tab.ts';

const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
const EXTENSION_DIR = bundleOf('chromium');
const HELPER_NAME = 'org.firstscreen.helper';
export const VIEWPORT = { width: 800, height: 600 };
const SWITCHES = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--hide-scrollbars',
  '--disable-popup-blocking', '--autoplay-policy=no-user-gesture-required',
];

/** Installed by policy once; each mode begins with a copy. */
let installed: Promise<ManagedBrowser> | undefined;

/** Starts Chromium; in all modes but stock with the extension that a policy has installed. */
export async function startChromium(setup: BedSetup): Promise<BedBrowser> {
  const profile = path.join(setup.dir, 'user');
  await mkdir(profile, { recursive: true });
  const managed = setup.mode === 'stock' ? null : await (installed ??= createManagedBrowser(CHROMIUM, EXTENSION_DIR, setup.dir));
  if (managed !== null) {
    await copyInstalledExtension(managed, profile);
    await writeHelper(profile, setup, managed);
  }
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: managed?.executable ?? CHROMIUM,
    headless: false,
    viewport: VIEWPORT,
    ignoreDefaultArgs: ['--disable-extensions'],
    env: { ...process.env, HOME: setup.trustedHome },
    args: [...SWITCHES, `--load-extension=${setup.blockerDir}`],
  });
  const popup = managed && (await openPopup(context, managed));
  if (popup !== null) await enterMode(popup, setup.mode);
  return {
    newTab: async () => tabOf(await context.newPage()),
    newPrivateTab: async () => tabOf(await privatePage(context)),
    async stopWorker() {
      if (popup === null) return;
      const session = await context.newCDPSession(popup);
      await session.send('ServiceWorker.enable');
      await session.send('ServiceWorker.stopAllWorkers');
      await session.detach();
    },
    close: () => context.close(),
  };
}

async function openPopup(context: BrowserContext, { extensionId }: ManagedBrowser): Promise<Page> {
  const popup = await context.newPage();
  await popup.goto(`chrome-extension://${extensionId}/popup.html`);
  return popup;
}

async function privatePage(context: BrowserContext): Promise<Page> {
  const browser = context.browser();
  if (browser === null) throw new Error('Playwright does not tell the browser of a persistent context');
  return (await browser.newContext({ viewport: VIEWPORT })).newPage();
}

async function writeHelper(profile: string, { helper }: BedSetup, { extensionId }: ManagedBrowser): Promise<void> {
  const script = helper(extensionId);
  if (script === null) return;
  const program = path.join(profile, 'helper');
  await writeFile(program, script);
  await chmod(program, 0o755);
  const manifests = path.join(profile, 'NativeMessagingHosts');
  await mkdir(manifests, { recursive: true });
  const manifest = { name: HELPER_NAME, description: 'test', path: program, type: 'stdio', allowed_origins: [`chrome-extension://${extensionId}/`] };
  await writeFile(path.join(manifests, `${HELPER_NAME}.json`), JSON.stringify(manifest));
}

function tabOf(page: Page): Tab {
  return {
    open: (url) => page.goto(url, { waitUntil: 'commit' }).then(() => 'ok', codeOf),
    evaluate: (run) => page.evaluate(run),
    finished: () => finishedOf(page),
    goBack: () => goBack(page),
    reload: () => page.reload({ waitUntil: 'commit' }).then(() => undefined),
    click: (selector) => page.click(selector),
    async print() {
      const session = await page.context().newCDPSession(page);
      const { data } = await session.send('Page.printToPDF', { printBackground: true });
      return data.length;
    },
    close: () => page.close(),
  };
}

/** The browser's code of a failed navigation. */
function codeOf(error: unknown): string {
  return /net::\w+/.exec(String(error))?.[0] ?? String(error);
}
