/** Runs inside the link's near namespace: `worker.ts PLAN.json`. Loads one page without Firstscreen, then with everything that helps, and prints what the panel exports of the second, beside the first. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { launchChromium, type RunningChromium } from '../../browsers/chromium.ts';
import { BENCH_HELPER, EXTENSIONS } from '../../browsers/executables.ts';
import { changeSettings, connectionsBecome, connectionsReady, copyHelperManifest, extensionReady, installHelper, trustHelper, TRUSTS_HELPER } from '../../browsers/extension.ts';
import { copyInstalledExtension, createManagedBrowser } from '../../browsers/managedBrowser.ts';
import { HostingControl } from '../../metrics/testbed.ts';
import { inspect } from '../../panel/inspectedPage.ts';
import { PanelPage } from '../../panel/openPanel.ts';
import { RecordingPlan } from './recordingPlan.ts';

const VIEWPORT = { width: 1366, height: 768 };
/** After which the panel gives a request of the helper that nobody asked for to another tab. */
const SETTLED_MS = 5_000;

interface Tabs {
  readonly chrome: { readonly tabs: { query(query: { active: boolean }): Promise<{ readonly id: number }[]> } };
}

async function main(planFile: string): Promise<void> {
  const plan = v.parse(RecordingPlan, JSON.parse(await readFile(planFile, 'utf8')));
  const hosting = new HostingControl(plan.hostingSocket);
  await hosting.ready();
  const { entryUrl } = await hosting.load(plan.page, 'h2');
  const running = await startBrowser(plan);
  try {
    process.stdout.write(await record(running, entryUrl));
  } finally {
    await running.close();
  }
}

/** Chromium with the extension by policy and the helper's connections, encrypted ones too. */
async function startBrowser({ directory: dir, caDir }: RecordingPlan): Promise<RunningChromium> {
  const [managedDir, templateDir, userDataDir, stateDir] = [path.join(dir, 'managed'), path.join(dir, 'helper'), path.join(dir, 'profile'), path.join(dir, 'state')];
  for (const each of [managedDir, userDataDir, stateDir]) await mkdir(each);
  const managed = await createManagedBrowser(path.join(EXTENSIONS, 'managed'), managedDir);
  await installHelper(BENCH_HELPER, templateDir, [managed.extensionId]);
  const environment = { ...(await trustHelper(BENCH_HELPER, path.join(dir, 'home'), path.join(caDir, 'ca.pem'))), XDG_STATE_HOME: stateDir, XDG_CACHE_HOME: stateDir };
  await copyHelperManifest(templateDir, userDataDir);
  await copyInstalledExtension(managed, userDataDir);
  const caSpki = (await readFile(path.join(caDir, 'ca.spki'), 'utf8')).trim();
  const running = await launchChromium(managed.executable, { userDataDir, viewport: VIEWPORT, caSpki, asRoot: process.getuid?.() === 0, hasExtension: true, environment });
  const { context } = running;
  if (!(await extensionReady(context))) throw new Error('the extension did not get ready');
  return running;
}

/** @returns the recording as the panel exports it */
async function record({ context, page }: RunningChromium, url: string): Promise<string> {
  const worker = context.serviceWorkers().find((each) => each.url().startsWith('chrome-extension://'));
  const [tab] = (await worker?.evaluate(() => (globalThis as unknown as Tabs).chrome.tabs.query({ active: true }))) ?? [];
  if (worker === undefined || tab === undefined) throw new Error('the extension is gone');
  const panel = await PanelPage.open(context, new URL('/', worker.url()).href, { tabId: tab.id, entries: [] });
  await inspect(page, (entry) => void panel.tell(entry).catch(() => undefined));
  const load = async (): Promise<void> => {
    await page.bringToFront();
    await page.goto(url, { timeout: 0 });
    await panel.navigate(url);
    await sleep(SETTLED_MS);
  };
  await changeSettings(context, { enabled: false });
  await load();
  await forget(page);
  await changeSettings(context, { enabled: true, connections: true });
  if (!(await connectionsReady(context)) || !(await connectionsBecome(context, TRUSTS_HELPER))) throw new Error('the browser does not go by the helper');
  await load();
  return await exported(panel.page);
}

/** Neither on disk nor in memory anything of the page is left. */
async function forget(page: Page): Promise<void> {
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
}

async function exported(panel: Page): Promise<string> {
  await panel.waitForSelector('#shares li', { timeout: 0 });
  const [download] = await Promise.all([panel.waitForEvent('download'), panel.click('#save-json')]);
  return await readFile(await download.path(), 'utf8');
}

await main(process.argv[2] ?? '');
