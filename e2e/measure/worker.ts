/**
 * Runs beside the emulated link: `worker.ts PLAN.json`. Opens each page in a browser of its own, as a user does who has
 * installed Firstscreen, measures it there by "Measure this page", and prints what that saves.
 */
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { launchChromium } from '../browsers/chromium.ts';
import { BENCH_HELPER, EXTENSIONS } from '../browsers/executables.ts';
import { changeSettings, connectionsReady, copyHelperManifest, extensionReady, installHelper } from '../browsers/extension.ts';
import { copyInstalledExtension, createManagedBrowser, type ManagedBrowser } from '../browsers/managedBrowser.ts';
import { FirefoxBrowser } from '../firefox/firefoxBrowser.ts';
import { HostingControl } from '../metrics/testbed.ts';
import type { MeasurementExport } from './measurementExport.ts';
import { MeasuringPage } from './measuringPage.ts';
import { WorkerPlan } from './workerPlan.ts';

const VIEWPORT = { width: 1366, height: 768 };

type Measure = (entryUrl: string) => Promise<MeasurementExport>;

async function main(planFile: string): Promise<void> {
  const plan = v.parse(WorkerPlan, JSON.parse(await readFile(planFile, 'utf8')));
  const hosting = new HostingControl(plan.hostingSocket);
  await hosting.ready();
  const measure = plan.browser === 'firefox' ? inFirefox(plan) : await inChromium(plan);
  const measured = [];
  for (const { name, path } of plan.pages) {
    try {
      const { entryUrl } = await hosting.load(path, plan.protocol);
      measured.push({ page: name, measured: await measure(entryUrl), failure: null });
    } catch (error) {
      measured.push({ page: name, measured: null, failure: error instanceof Error ? error.message : String(error) });
    }
  }
  process.stdout.write(JSON.stringify(measured));
}

/** The form that users are told to install: by policy, with the helper's connections. */
async function inChromium(plan: WorkerPlan): Promise<Measure> {
  const caSpki = (await readFile(join(plan.caDir, 'ca.spki'), 'utf8')).trim();
  const managedDir = join(plan.directory, 'managed');
  await mkdir(managedDir);
  const managed = await createManagedBrowser(join(EXTENSIONS, 'managed'), managedDir);
  const helperTemplateDir = join(plan.directory, 'helper');
  await installHelper(BENCH_HELPER, helperTemplateDir, [managed.extensionId]);
  return (entryUrl) => measureInChromium(plan, managed, { caSpki, helperTemplateDir }, entryUrl);
}

async function measureInChromium(plan: WorkerPlan, managed: ManagedBrowser, { caSpki, helperTemplateDir }: { readonly caSpki: string; readonly helperTemplateDir: string }, entryUrl: string): Promise<MeasurementExport> {
  const userDataDir = await mkdtemp(join(plan.directory, 'profile-'));
  await copyHelperManifest(helperTemplateDir, userDataDir);
  await copyInstalledExtension(managed, userDataDir);
  const running = await launchChromium(managed.executable, {
    userDataDir, viewport: VIEWPORT, caSpki, hasExtension: true, environment: { XDG_STATE_HOME: userDataDir, XDG_CACHE_HOME: userDataDir },
  });
  try {
    if (!(await extensionReady(running.context))) throw new Error('the extension did not get ready');
    await changeSettings(running.context, { connections: true });
    if (!(await connectionsReady(running.context))) throw new Error('the browser does not go by the helper');
    await running.page.goto(entryUrl);
    const own = await running.context.newPage();
    const origin = `chrome-extension://${managed.extensionId}/`;
    await own.goto(`${origin}measure.html`);
    await own.goto(origin + (await MeasuringPage.pathFor(own, running.page.url())));
    return await measure(new MeasuringPage(own), plan);
  } finally {
    await running.close();
  }
}

/** The extension alone. */
function inFirefox(plan: WorkerPlan): Measure {
  return async (entryUrl) => {
    const browser = await FirefoxBrowser.firstscreen();
    try {
      const page = await browser.newPage();
      await page.goto(entryUrl);
      const own = await browser.openOwnPage('measure.html');
      const measuring = await browser.openOwnPage(await MeasuringPage.pathFor(own, page.url()));
      return await measure(new MeasuringPage(measuring), plan);
    } finally {
      await browser.close();
    }
  };
}

async function measure(page: MeasuringPage, { pairs, limitMs }: WorkerPlan): Promise<MeasurementExport> {
  await page.begin(pairs);
  return page.result(limitMs);
}

await main(process.argv[2] ?? '');
