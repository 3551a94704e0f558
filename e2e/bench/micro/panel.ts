import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { harEntries, harEntry } from '../../panel/harEntries.ts';
import { PanelPage } from '../../panel/openPanel.ts';
import { withDirectory } from '../commandLine.ts';
import { UNPACKED, launch } from './chromium.ts';
import type { Measurement } from './measurement.ts';

const REQUESTS = 1_000;
const OPENINGS = 5;
const UPDATES = 40;
/** More than the panel waits between two updates. */
const BETWEEN_MS = 150;
const PAINT_TARGET_MS = 300;
/** A frame. */
const UPDATE_TARGET_MS = 16;
const NO_TAB = 1_000_000;
const BYTES_PER_MB = 1e6;

/** The panel of the developer tools with 1,000 requests: until they are shown, and each update with one more. */
export function measurePanel(): Promise<Measurement[]> {
  return withDirectory('firstscreen-micro-panel-', measureIn);
}

async function measureIn(dir: string): Promise<Measurement[]> {
  const context = await launch(UNPACKED, dir);
  try {
    await context.waitForEvent('serviceworker').catch(() => undefined);
    const paintsMs: number[] = [];
    // the first opening compiles its script
    await (await open(context)).page.close();
    for (let opening = 0; opening < OPENINGS; opening += 1) {
      const panel = await open(context);
      paintsMs.push(await paintMs(panel));
      await panel.page.close();
    }
    const panel = await open(context);
    const before = (await panel.updates()).length;
    for (let update = 0; update < UPDATES; update += 1) {
      await panel.tell(harEntry(REQUESTS + update, Date.now()));
      await sleep(BETWEEN_MS);
    }
    const updatesMs = (await panel.updates()).slice(before).map(({ lastsMs }) => lastsMs);
    const megabytes = (await heapBytes(panel)) / BYTES_PER_MB;
    const browser = `Chromium ${context.browser()?.version() ?? ''}`;
    return [
      { name: `panel, ${REQUESTS} requests shown`, method: `${browser}: from the navigation to the panel's page until all are drawn and something is painted`, samplesMs: paintsMs, targetMs: PAINT_TARGET_MS },
      { name: `panel, update with ${REQUESTS} requests`, method: `${browser}: script from the model to the last view, one request more each time; JavaScript heap after a collection ${megabytes.toFixed(1)} MB`, samplesMs: updatesMs, targetMs: UPDATE_TARGET_MS },
    ];
  } finally {
    await context.close();
  }
}

async function open(context: BrowserContext): Promise<PanelPage> {
  const panel = await PanelPage.open(context, CHROMIUM_EXTENSION_ORIGIN, { tabId: NO_TAB, entries: harEntries(REQUESTS, Date.now()) });
  await panel.page.waitForFunction((rows) => document.querySelector('#requests')?.getAttribute('aria-rowcount') === String(rows), REQUESTS + 1);
  return panel;
}

async function paintMs(panel: PanelPage): Promise<number> {
  const paint = await panel.page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null);
  const [first] = await panel.updates();
  return Math.max(first?.endMs ?? NaN, Number(await paint.jsonValue()));
}

async function heapBytes({ page }: PanelPage): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN;
}
