import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { CHROMIUM_EXTENSION_ORIGIN, chromiumOrigin } from '../../../shared/src/protocol/identity.ts';
import { EXTENSIONS } from '../../browsers/executables.ts';
import { createManagedBrowser } from '../../browsers/managedBrowser.ts';
import { withDirectory } from '../commandLine.ts';
import { UNPACKED, launch, type Launch } from './chromium.ts';
import { ImageServer, IMAGES } from './imageServer.ts';
import type { Measurement } from './measurement.ts';
import { scriptTimeMs, type TraceEvent } from './scriptTime.ts';

const LOADS = 5;
const TRACE_CATEGORIES = ['devtools.timeline'];
/** A busy machine takes long for 1,000 images, and only the scripts' own time counts. */
const LOAD_LIMIT_MS = 120_000;
const TARGET_MS = 8;

/** The built extension's scripts on the main thread of a page with 1,000 images, from navigation until the last one has arrived; as users load it, and by policy. */
export function measureContentScript(): Promise<Measurement[]> {
  return withDirectory('firstscreen-micro-', measureIn);
}

async function measureIn(dir: string): Promise<Measurement[]> {
  const server = await ImageServer.start();
  try {
    const managed = await createManagedBrowser(path.join(EXTENSIONS, 'managed'), dir);
    return [
      await measure('', UNPACKED, path.join(dir, 'unpacked'), CHROMIUM_EXTENSION_ORIGIN, server),
      await measure(', by policy', { executable: managed.executable, args: [], ignoreDefaultArgs: ['--disable-extensions'] }, managed.profileDir, chromiumOrigin(managed.extensionId), server),
    ];
  } finally {
    await server.close();
  }
}

async function measure(suffix: string, how: Launch, profileDir: string, extensionOrigin: string, server: ImageServer): Promise<Measurement> {
  const context = await launch(how, profileDir);
  try {
    const samplesMs: number[] = [];
    // the first load compiles the scripts and starts the worker
    await loadMs(context, server, extensionOrigin);
    for (let load = 0; load < LOADS; load += 1) samplesMs.push(await loadMs(context, server, extensionOrigin));
    return {
      name: `content script, ${IMAGES} images${suffix}`,
      method: `Chromium ${context.browser()?.version() ?? ''}: trace of a load; processor time of all entries into the extension's scripts (both worlds), forced layout included`,
      samplesMs,
      targetMs: TARGET_MS,
    };
  } finally {
    await context.close();
  }
}

async function loadMs(context: BrowserContext, server: ImageServer, extensionOrigin: string): Promise<number> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    const events: TraceEvent[] = [];
    session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: TRACE_CATEGORIES, excludedCategories: ['*'] } });
    await page.goto(server.imagePage(), { waitUntil: 'commit' });
    const allThere = (count: number): boolean => [...document.images].filter((image) => image.naturalWidth > 0).length === count;
    await page.waitForFunction(allThere, IMAGES, { polling: 250, timeout: LOAD_LIMIT_MS });
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    const ms = scriptTimeMs(events, (url) => url.startsWith(extensionOrigin));
    if (ms === 0) throw new Error(`No function of the extension was seen: are build/extension and dist/extension built?`);
    return ms;
  } finally {
    await page.close();
  }
}
