import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { seededRandom } from '../analysis/random.ts';
import { helperPids, isHelper, leftHelpers } from '../browsers/helperProcesses.ts';
import type { TestBrowser } from '../gate/browsers.ts';
import { realHelper } from '../gate/fakeHelper.ts';
import { Bench, html, type Observation } from '../gate/harness.ts';
import type { Site, Visit } from '../gate/server.ts';

const HELPER = path.join(import.meta.dirname, '../../dist/helper/firstscreen-helper.mjs');
const IMAGES = 10;
const IMAGE = /\.png/;
const SITE: Site = { '/': html(Array.from({ length: IMAGES }, (_, i) => `<p><img id=i${i} src="n${i}.png" width=400 height=150></p>`).join('')) };

/** What happens in the middle of a load, while the server holds the images. */
export const FAULTS = ['none', 'helperKilled', 'workerStopped', 'popupToggled'] as const;
export type Fault = (typeof FAULTS)[number];

export interface Load {
  readonly number: number;
  readonly fault: Fault;
  /** Empty: the load was as stock's. */
  readonly violations: readonly string[];
}

/** The faults of a run; the same seed gives the same ones. */
export function planFaults(loads: number, seed: number): Fault[] {
  const random = seededRandom(seed);
  return Array.from({ length: loads }, () => FAULTS[Math.floor(random() * FAULTS.length)] ?? 'none');
}

/** What differs from the stock browser's load: objects lost or fetched twice, and what the page saw. Pure. */
export function violationsOf(stock: Observation, seen: Observation): string[] {
  const names = new Set([...Object.keys(stock.requests), ...Object.keys(seen.requests)]);
  const counts = [...names].flatMap((name) => {
    const [expected, got] = [stock.requests[name] ?? 0, seen.requests[name] ?? 0];
    return expected === got ? [] : [`${name}: asked for ${got} times instead of ${expected}`];
  });
  return JSON.stringify(seen.frames) === JSON.stringify(stock.frames) ? counts : [...counts, 'the page saw other loads or events'];
}

/**
 * Loads one small page after the other in one Chromium that has the extension by policy, with the real helper.
 *
 * @returns how many helpers are left when the browser has closed
 */
export async function soak(loads: number, seed: number, report: (load: Load) => void): Promise<number> {
  const bench = await Bench.start('managed');
  const dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-soak-'));
  try {
    const pidFile = path.join(dir, 'pid');
    const browser = await bench.openFirstscreen(realHelper(HELPER, pidFile, bench.installation.extensionId));
    try {
      const stock = await bench.observe(bench.stock, SITE, duringHold(() => Promise.resolve()));
      const faults = new FaultMaker(browser, pidFile, bench.installation.origin);
      for (const [number, fault] of planFaults(loads, seed).entries()) {
        const seen = await bench.observe(browser, SITE, duringHold(() => faults.make(fault)), stock);
        report({ number, fault, violations: violationsOf(stock, seen) });
      }
    } finally {
      await browser.close();
    }
    return (await leftHelpers(pidFile)).length;
  } finally {
    await bench.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function duringHold(fault: () => Promise<void>): { prepare: (visit: Visit) => void; drive: (page: Page, visit: Visit) => Promise<void> } {
  return {
    prepare: (visit) => visit.hold(IMAGE),
    drive: async (_, visit) => {
      await fault();
      visit.letGo();
    },
  };
}

class FaultMaker {
  private readonly browser: TestBrowser;
  private readonly pidFile: string;
  private readonly origin: string;

  constructor(browser: TestBrowser, pidFile: string, origin: string) {
    this.browser = browser;
    this.pidFile = pidFile;
    this.origin = origin;
  }

  async make(fault: Fault): Promise<void> {
    if (fault === 'helperKilled') this.killHelper();
    if (fault === 'workerStopped') await this.inPage('chrome://serviceworker-internals', (page) => page.getByText('Stop', { exact: true }).first().click({ timeout: 2_000 }).catch(() => undefined));
    if (fault === 'popupToggled') {
      await this.inPage(new URL('popup.html', this.origin).href, async (page) => {
        await page.locator('#enabled').click();
        await page.locator('#enabled').click();
      });
    }
  }

  /** The process may have ended by itself or by an earlier fault. */
  private killHelper(): void {
    const pid = helperPids(this.pidFile).at(-1);
    if (pid !== undefined && isHelper(pid)) process.kill(pid, 'SIGKILL');
  }

  private async inPage(url: string, act: (page: Page) => Promise<void>): Promise<void> {
    const page = await this.browser.context.newPage();
    try {
      await page.goto(url);
      await act(page);
    } finally {
      await page.close();
    }
  }
}
