import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type Page, type Worker } from 'playwright-core';
import { CHROMIUM, EXTENSIONS, HELPER, TEST_EXTENSIONS } from '../browsers/executables.ts';
import { changeSettings, installHelper, startedWorker } from '../browsers/extension.ts';
import { writeChromiumHelper } from '../browsers/helperScript.ts';
import { copyInstalledExtension, createManagedBrowser, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { HELPERS_HOST } from '../browsers/ownNamesHelper.ts';
import { INITIAL_LINK, type LinkEstimate } from '../../shared/src/estimation/link.ts';
import { CHROMIUM_EXTENSION_ID, chromiumOrigin } from '../../shared/src/protocol/identity.ts';

/** As they ship, but for settings of tests (extension/src/background/testMain.ts). */
const EXTENSION_DIR = path.join(TEST_EXTENSIONS, 'chromium');
/** As users load it. */
const SHIPPED_EXTENSION_DIR = path.join(EXTENSIONS, 'chromium');
const VIEWPORT = { width: 800, height: 600 };

const SWITCHES = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--hide-scrollbars', '--force-color-profile=srgb', `--host-resolver-rules=MAP *.test 127.0.0.1, MAP ${HELPERS_HOST} ~NOTFOUND`, '--autoplay-policy=no-user-gesture-required',
];

/** How the extension got into the browser: as a user loads it, which has no gate, or by policy. */
export const INSTALLATIONS = ['unpacked', 'managed'] as const;
export type InstallationKind = (typeof INSTALLATIONS)[number];

/** The extension, ready to be put into browsers. */
export class Installation {
  readonly managed: ManagedBrowser | null;
  /** Of the one that is not managed. */
  readonly unpackedDir: string;
  private readonly dir: string;

  private constructor(managed: ManagedBrowser | null, unpackedDir: string, dir: string) {
    this.managed = managed;
    this.unpackedDir = unpackedDir;
    this.dir = dir;
  }

  static async make(kind: InstallationKind): Promise<Installation> {
    const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-managed-'));
    return new Installation(kind === 'managed' ? await createManagedBrowser(path.join(TEST_EXTENSIONS, 'managed'), dir) : null, EXTENSION_DIR, dir);
  }

  /** As a user loads it, without settings of tests: with the tab that the first run opens. */
  static async makeShipped(): Promise<Installation> {
    return new Installation(null, SHIPPED_EXTENSION_DIR, await mkdtemp(path.join(tmpdir(), 'firstscreen-shipped-')));
  }

  /** As a user loads it, with an optional permission that it has been given: of a browser without a window nobody could be asked. */
  static async makeWith(permission: string): Promise<Installation> {
    const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-unpacked-'));
    await cp(EXTENSION_DIR, dir, { recursive: true });
    const file = path.join(dir, 'manifest.json');
    const manifest = JSON.parse(await readFile(file, 'utf8')) as { permissions: string[]; optional_permissions: string[] };
    const optional_permissions = manifest.optional_permissions.filter((each) => each !== permission);
    await writeFile(file, JSON.stringify({ ...manifest, permissions: [...manifest.permissions, permission], optional_permissions }));
    return new Installation(null, dir, dir);
  }

  get extensionId(): string {
    return this.managed?.extensionId ?? CHROMIUM_EXTENSION_ID;
  }

  get origin(): string {
    return chromiumOrigin(this.extensionId);
  }

  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Launch {
  readonly origin: string;
  /** Null for a browser without the extension. */
  readonly installation: Installation | null;
  /** Text of an executable script that stands in for the helper, or null for a machine without one. */
  readonly helper: string | null;
  /** Beside that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A browser of the tests: one fresh profile, closed and deleted with `close`. */
export class TestBrowser {
  readonly context: BrowserContext;
  private readonly installation: Installation | null;
  private readonly dir: string;

  private constructor(context: BrowserContext, installation: Installation | null, dir: string) {
    this.context = context;
    this.installation = installation;
    this.dir = dir;
  }

  /** A browser without the extension. */
  static stock(origin: string): Promise<TestBrowser> {
    return TestBrowser.launch({ origin, installation: null, helper: null });
  }

  /** A browser with the extension, whose gate, if it has one, holds every image from a page's first. */
  static async firstscreen(origin: string, installation: Installation, helper: string | null = null, link: LinkEstimate = INITIAL_LINK): Promise<TestBrowser> {
    const browser = await TestBrowser.firstscreenWhenFull(origin, installation, helper);
    await browser.change({ alwaysHold: true, link });
    return browser;
  }

  /** A browser with the extension as it is installed: it holds from when the link is full. */
  static firstscreenWhenFull(origin: string, installation: Installation, helper: string | null = null, environment: Readonly<Record<string, string>> = {}): Promise<TestBrowser> {
    return TestBrowser.launch({ origin, installation, helper, environment });
  }

  private static async launch({ origin, installation, helper, environment = {} }: Launch): Promise<TestBrowser> {
    const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-gate-'));
    if (helper !== null && installation !== null) await writeChromiumHelper(dir, helper, installation.origin);
    const managed = installation?.managed ?? null;
    if (managed !== null) await copyInstalledExtension(managed, dir);
    const isUnpacked = installation !== null && managed === null;
    const context = await chromium.launchPersistentContext(dir, {
      executablePath: managed?.executable ?? CHROMIUM,
      headless: false,
      viewport: VIEWPORT,
      env: { ...process.env, ...environment },
      ignoreDefaultArgs: managed === null ? [] : ['--disable-extensions'],
      // service workers need a secure origin
      args: [...SWITCHES, `--unsafely-treat-insecure-origin-as-secure=${origin}`, ...(isUnpacked ? [`--disable-extensions-except=${installation.unpackedDir}`, `--load-extension=${installation.unpackedDir}`] : [])],
    });
    return new TestBrowser(context, installation, dir);
  }

  /** The extension's service worker. */
  worker(): Promise<Worker> {
    return startedWorker(this.context);
  }

  /** A page of the extension, in a tab of its own, once it is ready. @param name as in `options.html` */
  async openOwnPage(name: string): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(new URL(name, this.installation?.origin).href);
    await page.waitForSelector('body[data-ready]');
    return page;
  }

  /** Changes settings of the extension; they are in force then. */
  async change(settings: object): Promise<void> {
    await changeSettings(this.context, settings);
  }

  /** Installs the real helper while the browser runs, as its user would. */
  async installHelper(): Promise<void> {
    const { managed = null } = this.installation ?? {};
    await installHelper(HELPER, this.dir, managed === null ? [] : [managed.extensionId]);
  }

  async close(): Promise<void> {
    await this.context.close();
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** What the tests use of the extension's API. */
export interface Chrome {
  readonly chrome: {
    readonly runtime: {
      reload(): void;
      sendMessage(question: object): Promise<unknown>;
      /** Chromium lets an extension raise its own events. */
      readonly onUpdateAvailable: { dispatch(details: { version: string }): void };
    };
    readonly proxy: { readonly settings: { get(details: object): Promise<{ readonly levelOfControl: string }> } };
    readonly storage: { readonly local: { set(items: object): Promise<void> } };
  };
}
