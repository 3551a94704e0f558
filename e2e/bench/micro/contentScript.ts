import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { ImageServer, IMAGES } from './imageServer.ts';
import type { Measurement } from './measurement.ts';
import { timeOnStackMs } from './stackTime.ts';

const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
const EXTENSION_DIR = process.env['FIRSTSCREEN_EXTENSION_DIR'] ?? path.join(import.meta.dirname, '../../../dist/extension/chromium');
const SWITCHES = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const VIEWPORT = { width: 1366, height: 768 };
const LOADS = 15;
const SAMPLING_INTERVAL_US = 100;
const TARGET_MS = 8;

/** The built extension's scripts on the main thread of a page with 1,000 images, from navigation until the last one has arrived. */
export async function measureContentScript(): Promise<Measurement[]> {
  const server = await ImageServer.start();
  const profileDir = await mkdtemp(path.join(tmpdir(), 'firstscreen-micro-'));
  const context = await chromium.launchPersistentContext(profileDir, {
    executablePath: CHROMIUM,
    headless: false,
    viewport: VIEWPORT,
    args: [...SWITCHES, `--disable-extensions-except=${EXTENSION_DIR}`, `--load-extension=${EXTENSION_DIR}`],
  });
  try {
    const samplesMs: number[] = [];
    // the first load compiles the scripts and starts the worker
    await loadMs(context, server);
    for (let load = 0; load < LOADS; load += 1) samplesMs.push(await loadMs(context, server));
    return [
      {
        name: `content script, ${IMAGES} images`,
        method: `Chromium ${context.browser()?.version() ?? ''}: V8 CPU profile of a load, every ${SAMPLING_INTERVAL_US} us; time with a function of the extension on the stack, forced layout included`,
        samplesMs,
        targetMs: TARGET_MS,
      },
    ];
  } finally {
    await context.close();
    await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
    await server.close();
  }
}

async function loadMs(context: BrowserContext, server: ImageServer): Promise<number> {
  const page = await context.newPage();
  try {
    // the profile ends with its process, so the page is opened in the process that the site already has
    await page.goto(server.emptyPage);
    const session = await context.newCDPSession(page);
    await session.send('Profiler.enable');
    await session.send('Profiler.setSamplingInterval', { interval: SAMPLING_INTERVAL_US });
    await session.send('Profiler.start');
    await page.goto(server.imagePage(), { waitUntil: 'commit' });
    await page.waitForFunction((count) => [...document.images].filter((image) => image.naturalWidth > 0).length === count, IMAGES, { polling: 250 });
    const { profile } = await session.send('Profiler.stop');
    const ms = timeOnStackMs(profile, (url) => url.startsWith(CHROMIUM_EXTENSION_ORIGIN));
    if (ms === 0) throw new Error(`No function of the extension was seen: is ${EXTENSION_DIR} built?`);
    return ms;
  } finally {
    await page.close();
  }
}
