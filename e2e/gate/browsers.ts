import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type Worker } from 'playwright-core';

const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
const EXTENSION_DIR = process.env['FIRSTSCREEN_EXTENSION_DIR'] ?? path.join(import.meta.dirname, '../../dist/extension/chromium');
const HELPER_NAME = 'org.firstscreen.helper';
const EXTENSION_ORIGIN = 'chrome-extension://fepfabdflbifdndnhdbidecgakckoigg/';
const VIEWPORT = { width: 800, height: 600 };
const ARM_POLL_MS = 20;

const SWITCHES = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--hide-scrollbars', '--force-color-profile=srgb', '--host-resolver-rules=MAP *.test 127.0.0.1', '--autoplay-policy=no-user-gesture-required',
];

/** A browser of the tests: one fresh profile, closed and deleted with `close`. */
export class TestBrowser {
  readonly context: BrowserContext;
  private readonly dir: string;

  private constructor(context: BrowserContext, dir: string) {
    this.context = context;
    this.dir = dir;
  }

  /** A browser without the extension. */
  static stock(origin: string): Promise<TestBrowser> {
    return TestBrowser.launch(origin, [], null);
  }

  /**
   * A browser with the extension, which holds every image from a page's first.
   *
   * @param helper text of an executable script that stands in for the helper, or null for a machine without one
   */
  static async firstscreen(origin: string, helper: string | null = null): Promise<TestBrowser> {
    const browser = await TestBrowser.firstscreenWhenFull(origin, helper);
    const worker = await browser.worker();
    await worker.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ alwaysHold: true }));
    while (!(await browser.isHolding())) await new Promise((resolve) => setTimeout(resolve, ARM_POLL_MS));
    return browser;
  }

  /** A browser with the extension as it is installed: it holds from when the link is full. */
  static firstscreenWhenFull(origin: string, helper: string | null = null): Promise<TestBrowser> {
    return TestBrowser.launch(origin, [`--disable-extensions-except=${EXTENSION_DIR}`, `--load-extension=${EXTENSION_DIR}`], helper);
  }

  private static async launch(origin: string, switches: readonly string[], helper: string | null): Promise<TestBrowser> {
    const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-gate-'));
    if (helper !== null) await writeHelper(dir, helper);
    const context = await chromium.launchPersistentContext(dir, {
      executablePath: CHROMIUM,
      headless: false,
      viewport: VIEWPORT,
      // service workers need a secure origin
      args: [...SWITCHES, `--unsafely-treat-insecure-origin-as-secure=${origin}`, ...switches],
    });
    return new TestBrowser(context, dir);
  }

  /** The extension's service worker. */
  async worker(): Promise<Worker> {
    const isOurs = (worker: Worker): boolean => worker.url().startsWith(EXTENSION_ORIGIN);
    return this.context.serviceWorkers().find(isOurs) ?? this.context.waitForEvent('serviceworker', { predicate: isOurs });
  }

  /** Whether the gate holds images in any tab. */
  async isHolding(): Promise<boolean> {
    const worker = await this.worker();
    const rules = await worker.evaluate(() => (globalThis as unknown as Chrome).chrome.declarativeNetRequest.getSessionRules());
    return rules.some(({ action }) => action.type === 'redirect');
  }

  async close(): Promise<void> {
    await this.context.close();
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What the tests use of the extension's API. */
export interface Chrome {
  readonly chrome: {
    readonly declarativeNetRequest: { getSessionRules(): Promise<readonly { readonly action: { readonly type: string } }[]> };
    readonly runtime: { reload(): void };
    readonly storage: { readonly local: { set(items: object): Promise<void> } };
  };
}

async function writeHelper(dir: string, script: string): Promise<void> {
  const program = path.join(dir, 'helper');
  await writeFile(program, script);
  await chmod(program, 0o755);
  const manifests = path.join(dir, 'NativeMessagingHosts');
  await mkdir(manifests, { recursive: true });
  const manifest = { name: HELPER_NAME, description: 'test', path: program, type: 'stdio', allowed_origins: [EXTENSION_ORIGIN] };
  await writeFile(path.join(manifests, `${HELPER_NAME}.json`), JSON.stringify(manifest));
}
