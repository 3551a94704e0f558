import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../browsers/until.ts';
import { within } from '../browsers/within.ts';
import type { Mode } from './mode.ts';
import type { Certificates } from './certificates.ts';
import { STATES, settingsOf } from './settings.ts';
import type { Tab } from './tab.ts';

const POLL_MS = 50;
const READY_LIMIT_MS = 20_000;
/** A page that has not told anything by then has lost something. */
const FINISH_LIMIT_MS = 30_000;
const NOT_FINISHED = 'the page did not finish';

/** What a browser of the bed is started with. */
export interface BedSetup {
  readonly mode: Mode;
  /** Whether tabs have to tell of requests that fail (`Tab.failures`): in Firefox each request of all tabs passes the driver then, in the process that also draws. */
  readonly tellsFailures: boolean;
  /** An empty directory for all of it. */
  readonly dir: string;
  readonly certificates: Certificates;
  /** Where the helper's authority is, that browsers trust. */
  readonly trustedHome: string;
  /** Of the extension that blocks the tracker. */
  readonly blockerDir: string;
  /** Text of an executable script that is the helper, or null where there is none. */
  readonly helper: (extensionId: string) => string | null;
}

/** A running browser of one mode. */
export interface BedBrowser {
  newTab(): Promise<Tab>;
  newPrivateTab(): Promise<Tab>;
  /** Stops the extension's background script, and nobody else's. Nothing in stock. @throws when it was not stopped */
  stopWorker(): Promise<void>;
  /** Clicks the popup's switch off and on again. @throws when the setting did not follow, and in stock */
  toggle(): Promise<void>;
  /** Resolves when the mode is in force. @throws when it does not come into force */
  inForce(): Promise<void>;
  /** What crashed, or ended without being asked to. */
  readonly crashes: readonly string[];
  close(): Promise<void>;
}

/** What both drivers' pages can do alike. */
export interface DriverPage {
  evaluate<R>(run: () => R | Promise<R>): Promise<R>;
  evaluate<R, A>(run: (argument: A) => R | Promise<R>, argument: A): Promise<R>;
}

interface ExtensionWindow {
  readonly chrome: {
    readonly runtime: { sendMessage(message: object): Promise<{ readonly connections?: string } | undefined> };
    readonly storage: { readonly local: { set(items: object): Promise<void>; get(name: string): Promise<Readonly<Record<string, unknown>>> } };
  };
}

/** Puts the settings of a mode in force, and waits until they are. @param popup a page of the extension's own */
export async function enterMode(popup: DriverPage, mode: Mode): Promise<void> {
  await popup.evaluate((settings) => (globalThis as unknown as ExtensionWindow).chrome.storage.local.set(settings), settingsOf(mode));
  await modeInForce(popup, mode);
}

/** Waits until a mode is in force. @param popup a page of the extension's own */
export async function modeInForce(popup: DriverPage, mode: Mode): Promise<void> {
  let state: string | undefined;
  await until(async () => {
    // a background script that is just ending answers nothing
    state = await popup.evaluate(() => (globalThis as unknown as ExtensionWindow).chrome.runtime.sendMessage({ type: 'status', tabId: 0 }).then((status) => status?.connections, () => undefined));
    return state !== undefined && (STATES[mode] ?? state) === state;
  }, () => `the extension's connections are ${STATES[mode] ?? 'known'}, and not ${state ?? 'unknown'}`, READY_LIMIT_MS);
}

/** Clicks the switch of the popup off and on again. @throws when the setting does not follow */
export async function toggleSwitch(popup: DriverPage): Promise<void> {
  for (const expected of [false, true]) {
    await popup.evaluate(() => document.querySelector<HTMLInputElement>('#enabled')?.click());
    await until(() => followed(popup, expected), `the switch is ${expected ? 'on' : 'off'}`, READY_LIMIT_MS);
  }
}

/** The popup reads the setting again by itself, so both have to tell the same. */
function followed(popup: DriverPage, expected: boolean): Promise<boolean> {
  return popup.evaluate(async (wanted) => {
    const { enabled = true } = await (globalThis as unknown as ExtensionWindow).chrome.storage.local.get('enabled');
    return enabled === wanted && document.querySelector<HTMLInputElement>('#enabled')?.checked === wanted;
  }, expected);
}

/** What the page's script has told. A page that leaves for another one while it is asked is asked again. */
export async function finishedOf(page: DriverPage): Promise<unknown> {
  const deadlineMs = performance.now() + FINISH_LIMIT_MS;
  while (performance.now() < deadlineMs) {
    const told = page.evaluate(() => (window as unknown as { finished?: Promise<unknown> }).finished).catch(() => undefined);
    const answer = await within(deadlineMs - performance.now(), 'the page', told).catch(() => NOT_FINISHED);
    if (answer !== undefined) return answer;
    await sleep(POLL_MS);
  }
  return NOT_FINISHED;
}

/** Goes back in the history as a page does it: drivers wait for a load that a page from the back/forward cache does not have. */
export async function goBack(page: DriverPage): Promise<void> {
  const from = await page.evaluate(() => location.href);
  await page.evaluate(() => history.back());
  while ((await page.evaluate(() => location.href).catch(() => from)) === from) await sleep(POLL_MS);
}
