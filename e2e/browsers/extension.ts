import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DevToolsSession } from './connection.ts';

const READY_TIMEOUT_MS = 8_000;
const READY_POLL_MS = 25;
/** Session rules, or a listener where the extension may answer requests. */
const IS_GATE_READY = `chrome.declarativeNetRequest
  ? chrome.declarativeNetRequest.getSessionRules().then((rules) => rules.length > 0)
  : chrome.webRequest.onBeforeRequest.hasListeners()`;
const MANIFEST_DIR = 'NativeMessagingHosts';

/** Registers the helper in a template profile by its own installer; copied into each fresh profile, as a process start per load would cost time. */
export async function installHelper(helperMain: string, templateDir: string, extensionIds: readonly string[]): Promise<void> {
  await mkdir(templateDir, { recursive: true });
  await promisify(execFile)(process.execPath, [helperMain, 'install', '--user-data-dir', templateDir, ...extensionIds.flatMap((id) => ['--extension-id', id])], {
    // not where a user's own installation is
    env: { ...process.env, XDG_DATA_HOME: join(templateDir, 'data') },
  });
}

/**
 * Has the helper make an authority, the browsers of a home trust it, and the helper trust that of the test bed, as its
 * user would. @returns what browsers are to be started with
 */
export async function trustHelper(helperMain: string, homeDir: string, caFile: string): Promise<Readonly<Record<string, string>>> {
  await mkdir(homeDir, { recursive: true });
  const environment = { HOME: homeDir, XDG_DATA_HOME: join(homeDir, 'data'), XDG_CONFIG_HOME: join(homeDir, 'config') };
  await promisify(execFile)(process.execPath, [helperMain, 'trust', '--yes'], { env: { ...process.env, ...environment } });
  // whom the helper trusts as servers beside Mozilla's list
  await mkdir(join(homeDir, 'config/firstscreen'), { recursive: true });
  await copyFile(caFile, join(homeDir, 'config/firstscreen/server-authorities.pem'));
  return environment;
}

/** Makes the helper known to a fresh profile. */
export async function copyHelperManifest(templateDir: string, userDataDir: string): Promise<void> {
  await cp(join(templateDir, MANIFEST_DIR), join(userDataDir, MANIFEST_DIR), { recursive: true });
}

/**
 * Waits until the extension's gate is ready: a user's browser has been running for a while when a
 * page is opened, so the start of the extension is no part of a load. Detaches again, as an attached worker lives longer.
 */
export async function extensionReady(browser: DevToolsSession): Promise<boolean> {
  return becomesTrue(() => isHolding(browser));
}

/** Changes settings of the extension, as its user would. */
export async function changeSettings(browser: DevToolsSession, settings: Readonly<Record<string, boolean | string | null>>): Promise<void> {
  await askExtension(browser, `chrome.storage.local.set(${JSON.stringify(settings)})`);
}

/** Waits until the browser goes by the helper. */
export async function connectionsReady(browser: DevToolsSession): Promise<boolean> {
  return becomesTrue(async () => (await askExtension(browser, "chrome.proxy.settings.get({}).then(({ levelOfControl }) => levelOfControl === 'controlled_by_this_extension')")) === true);
}

/** Waits until the extension says that the browser takes the helper's certificates for true ones. */
export async function trustsHelper(browser: DevToolsSession): Promise<boolean> {
  // only a page of the extension's own is answered; there is no API in it until it has loaded
  const ask = "globalThis.chrome?.runtime?.sendMessage?.({ type: 'status', tabId: 0 }).then(({ connections }) => connections.state)";
  return withPopup(browser, (targetId) => becomesTrue(async () => (await askTarget(browser, targetId, ask)) === 'intercepted'));
}

async function becomesTrue(isSo: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (await isSo()) return true;
    await sleep(READY_POLL_MS);
  }
  return false;
}

/** @returns the value of an expression in the extension's worker */
async function askExtension(browser: DevToolsSession, expression: string): Promise<unknown> {
  return askTarget(browser, (await extensionWorker(browser)).targetId, expression);
}

/** Opens the popup in a tab, for as long as it is used. */
async function withPopup<T>(browser: DevToolsSession, use: (targetId: string) => Promise<T>): Promise<T> {
  const { url } = await extensionWorker(browser);
  const { targetId } = await browser.send('Target.createTarget', { url: new URL('popup.html', url).href, background: true });
  try {
    return await use(targetId);
  } finally {
    await browser.send('Target.closeTarget', { targetId });
  }
}

async function askTarget(browser: DevToolsSession, targetId: string, expression: string): Promise<unknown> {
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  try {
    return await browser.child(sessionId).evaluate(expression);
  } finally {
    await browser.send('Target.detachFromTarget', { sessionId });
  }
}

async function extensionWorker(browser: DevToolsSession): Promise<{ readonly targetId: string; readonly url: string }> {
  const { targetInfos } = await browser.send('Target.getTargets', {});
  const worker = targetInfos.find(isExtensionWorker);
  if (worker === undefined) throw new Error('the extension is gone');
  return worker;
}

function isExtensionWorker({ type, url }: { readonly type: string; readonly url: string }): boolean {
  return type === 'service_worker' && url.startsWith('chrome-extension://');
}

async function isHolding(browser: DevToolsSession): Promise<boolean> {
  try {
    return (await askExtension(browser, IS_GATE_READY)) === true;
  } catch {
    return false; // The worker is still starting: asked again.
  }
}
