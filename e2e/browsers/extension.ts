import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext, Worker } from 'playwright-core';
import { until } from './until.ts';

/** It hardly ever takes a second, but on a busy machine. */
const READY_TIMEOUT_MS = 30_000;
/** Every listener is added at once, when the worker starts. */
const IS_READY = 'chrome.runtime.onConnect.hasListeners()';
const GOES_BY_HELPER = "chrome.proxy.settings.get({}).then(({ levelOfControl }) => levelOfControl === 'controlled_by_this_extension')";
/**
 * Asked from the popup, as only a page of the extension's own is answered; there is no API in it until it has loaded.
 */
const CONNECTIONS_STATE = "globalThis.chrome?.runtime?.sendMessage?.({ type: 'status', tabId: 0 }).then(({ connections }) => connections)";
const MANIFEST_DIR = 'NativeMessagingHosts';

/** What is used of a worker's. */
interface WorkerScope {
  readonly chrome: {
    readonly runtime: {
      readonly id: string;
      getURL(path: string): string;
      readonly onMessage: { hasListeners(): boolean; dispatch(question: object, sender: object, answer: (answer: unknown) => void): void };
    };
    readonly storage: {
      readonly local: {
        get(names: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
        set(items: object): Promise<void>;
        readonly onChanged: { addListener(heard: (changes: unknown) => void): void; removeListener(heard: (changes: unknown) => void): void };
      };
    };
  };
}

/** Registers the helper in a template profile by its own installer; copied into each fresh profile, as a process start per load would cost time. */
export async function installHelper(helperMain: string, templateDir: string, extensionIds: readonly string[]): Promise<void> {
  await mkdir(templateDir, { recursive: true });
  await promisify(execFile)(process.execPath, [helperMain, 'install', '--user-data-dir', templateDir, ...extensionIds.flatMap((id) => ['--extension-id', id])], {
    // not where a user's own installation is
    env: { ...process.env, XDG_DATA_HOME: join(templateDir, 'data') },
  });
}

/** Of a home of its own, where a helper looks for what is its user's. */
export function helperEnvironment(homeDir: string): Readonly<Record<'HOME' | 'XDG_DATA_HOME' | 'XDG_CONFIG_HOME', string>> {
  return { HOME: homeDir, XDG_DATA_HOME: join(homeDir, 'data'), XDG_CONFIG_HOME: join(homeDir, 'config') };
}

/**
 * Has the helper make an authority, the browsers of a home trust it, and the helper trust that of the test bed, as its
 * user would.
 *
 * @param caFile that of the test bed; null where no server of one is asked
 * @returns what browsers are to be started with
 */
export async function trustHelper(helperMain: string, homeDir: string, caFile: string | null): Promise<Readonly<Record<string, string>>> {
  await mkdir(homeDir, { recursive: true });
  const environment = helperEnvironment(homeDir);
  await promisify(execFile)(process.execPath, [helperMain, 'trust', '--yes'], { env: { ...process.env, ...environment } });
  if (caFile === null) return environment;
  // whom the helper trusts as servers beside Mozilla's list
  const configDir = join(environment.XDG_CONFIG_HOME, 'firstscreen');
  await mkdir(configDir, { recursive: true });
  await copyFile(caFile, join(configDir, 'server-authorities.pem'));
  return environment;
}

/** Makes the helper known to a fresh profile. */
export async function copyHelperManifest(templateDir: string, userDataDir: string): Promise<void> {
  await cp(join(templateDir, MANIFEST_DIR), join(userDataDir, MANIFEST_DIR), { recursive: true });
}

/**
 * Waits until the extension is ready: a user's browser has been running for a while when a page is opened, so
 * the start of the extension is no part of a load.
 */
export async function extensionReady(context: BrowserContext): Promise<boolean> {
  return becomesTrue(async () => (await extensionWorker(context).evaluate(IS_READY)) === true);
}

/** Changes settings of the extension, as its user would; waits for its worker to start, and until they are in force. */
export async function changeSettings(context: BrowserContext, settings: object): Promise<void> {
  await (await startedWorker(context)).evaluate(changeWithin, settings);
}

/** Waits until the browser goes by the helper. */
export async function connectionsReady(context: BrowserContext): Promise<boolean> {
  return becomesTrue(async () => (await extensionWorker(context).evaluate(GOES_BY_HELPER)) === true);
}

/**
 * Waits until what the browser asks for goes by the helper: Chromium says that it does a moment before.
 *
 * @param url of a server that the helper alone finds
 */
export async function goesByHelper(context: BrowserContext, url: string): Promise<boolean> {
  return becomesTrue(async () => (await extensionWorker(context).evaluate(`fetch(${JSON.stringify(url)}, { mode: 'no-cors' }).then(() => true)`)) === true);
}

/** That the browser takes the helper's certificates for true ones. */
export const TRUSTS_HELPER = 'intercepted';
/** That the browser goes by itself, as the link needs no help. */
export const GOES_BY_ITSELF = 'notNeeded';

/** Waits until the extension says one of these of the browser's connections. */
export async function connectionsBecome(context: BrowserContext, ...states: readonly unknown[]): Promise<boolean> {
  const popup = await context.newPage();
  try {
    await popup.goto(new URL('popup.html', extensionWorker(context).url()).href);
    return await becomesTrue(async () => states.includes(await popup.evaluate(CONNECTIONS_STATE)));
  } finally {
    await popup.close();
  }
}

async function becomesTrue(isSo: () => Promise<boolean>): Promise<boolean> {
  // a worker that is still starting is asked again
  return until(() => isSo().catch(() => false), 'it', READY_TIMEOUT_MS).then(() => true, () => false);
}

/**
 * A question is answered when the settings are in force of which the worker has heard, which may be a moment after they are
 * stored. Runs in the worker, as text: nobody else can ask it, and Chromium lets an extension raise its own events.
 */
async function changeWithin(settings: object): Promise<void> {
  const { runtime, storage: { local } } = (globalThis as unknown as WorkerScope).chrome;
  while (!runtime.onMessage.hasListeners()) await new Promise((passed) => setTimeout(passed, 10));
  const before = await local.get(Object.keys(settings));
  const heard = Promise.withResolvers<unknown>();
  // of what is stored as it was nobody hears
  if (Object.entries(settings).every(([name, value]) => JSON.stringify(before[name]) === JSON.stringify(value))) heard.resolve(null);
  // after the extension's own listener
  local.onChanged.addListener(heard.resolve);
  await local.set(settings);
  await heard.promise;
  local.onChanged.removeListener(heard.resolve);
  await new Promise((answered) => runtime.onMessage.dispatch({ type: 'status', tabId: -1 }, { id: runtime.id, url: runtime.getURL('') }, answered));
}

/** No other extension is there. */
function isOurs(worker: Worker): boolean {
  return worker.url().startsWith('chrome-extension://');
}

/** The extension's worker, once it has started. @param isIts which it is, where there may be others */
export async function startedWorker(context: BrowserContext, isIts = isOurs): Promise<Worker> {
  return context.serviceWorkers().find(isIts) ?? context.waitForEvent('serviceworker', { predicate: isIts });
}

/** @throws Error when the worker has not started, or is gone */
function extensionWorker(context: BrowserContext): Worker {
  const worker = context.serviceWorkers().find(isOurs);
  if (worker === undefined) throw new Error('the extension is gone');
  return worker;
}
