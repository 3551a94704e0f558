import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { copyInstalledExtension, createManagedBrowser, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { enterMode, finishedOf, goBack, modeInForce, toggleSwitch, type BedBrowser, type BedSetup } from './bedBrowser.ts';
import { bundleOf } from './settings.ts';
import type { Failure, Tab } from './tab.ts';

const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
const EXTENSION_DIR = bundleOf('chromium');
const HELPER_NAME = 'org.firstscreen.helper';
const POLL_MS = 20;
const WORKER_LIMIT_MS = 10_000;
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
  const crashes: string[] = [];
  let isClosing = false;
  context.on('page', (page) => page.on('crash', () => crashes.push(`a page crashed: ${page.url()}`)));
  context.on('close', () => isClosing || crashes.push('Chromium ended'));
  const popup = managed && (await openPopup(context, managed));
  if (popup !== null) await enterMode(popup, setup.mode);
  return {
    crashes,
    newTab: async () => tabOf(await context.newPage()),
    newPrivateTab: async () => tabOf(await privatePage(context)),
    async stopWorker() {
      if (popup !== null && managed !== null) await stopWorkerOf(context, popup, managed.extensionId);
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
      return context.close();
    },
  };
}

/** Has the browser stop the service worker of an extension, which the popup keeps awake. @throws when it did not stop */
async function stopWorkerOf(context: BrowserContext, popup: Page, extensionId: string): Promise<void> {
  const session = await context.newCDPSession(popup);
  try {
    const states = new Map<string, string>();
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { versionId, scriptURL, runningStatus } of versions) if (scriptURL.includes(`://${extensionId}/`)) states.set(versionId, runningStatus);
    });
    const until = async (isSo: () => boolean, what: string): Promise<void> => {
      const deadlineMs = performance.now() + WORKER_LIMIT_MS;
      while (!isSo()) {
        if (performance.now() > deadlineMs) throw new Error(`the extension's worker is not ${what} after ${WORKER_LIMIT_MS} ms: ${[...states.values()].join()}`);
        await sleep(POLL_MS);
      }
    };
    await session.send('ServiceWorker.enable');
    const running = (): string | undefined => [...states].find(([, state]) => state === 'running')?.[0];
    await until(() => running() !== undefined, 'running');
    const versionId = running() ?? '';
    let wasStopped = false;
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      wasStopped ||= versions.some((version) => version.versionId === versionId && version.runningStatus.startsWith('stop'));
    });
    await session.send('ServiceWorker.stopWorker', { versionId });
    await until(() => wasStopped, 'stopped');
  } finally {
    await session.detach();
  }
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
  const failures: Failure[] = [];
  page.on('requestfailed', (request) => failures.push({ url: request.url(), code: request.failure()?.errorText ?? '' }));
  return {
    failures,
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
