import type { BrowserContext, Page } from 'playwright-core';
import type { TestEntry } from './harEntries.ts';

/** As extension/src/panel/panel.ts names it. */
const UPDATE_MEASURE = 'firstscreen panel update';

interface PanelOptions {
  /** The tab that is inspected. */
  readonly tabId: number;
  /** What the developer tools have seen before the panel was opened. */
  readonly entries: readonly TestEntry[];
}

/** What the page of the panel has besides. */
interface FakedWindow {
  /** As the developer tools tell of a request that has ended. */
  readonly tell: (entry: TestEntry) => void;
  readonly navigate: (url: string) => void;
  /** Of each update so far: when it had ended, and how long it took, in milliseconds. */
  readonly updates: { readonly endMs: number; readonly lastsMs: number }[];
}

/**
 * The panel's page as the developer tools open it. No driver of browsers reaches these, so what they tell the panel is
 * told by the test; everything else, the background script with its content scripts and helper above all, is real.
 */
export class PanelPage {
  readonly page: Page;
  /** What went wrong in it. */
  readonly errors: string[] = [];

  private constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
  }

  /** @param origin of the extension */
  static async open(context: BrowserContext, origin: string, options: PanelOptions): Promise<PanelPage> {
    const page = await context.newPage();
    const panel = new PanelPage(page);
    await page.addInitScript(fakeDevtools, { ...options, measure: UPDATE_MEASURE });
    await page.goto(`${origin}panel.html`);
    await page.waitForSelector('body[data-ready]');
    return panel;
  }

  async tell(entry: TestEntry): Promise<void> {
    await this.page.evaluate((told) => (globalThis as unknown as FakedWindow).tell(told), entry);
  }

  async navigate(url: string): Promise<void> {
    await this.page.evaluate((to) => (globalThis as unknown as FakedWindow).navigate(to), url);
  }

  updates(): Promise<FakedWindow['updates']> {
    return this.page.evaluate(() => (globalThis as unknown as FakedWindow).updates);
  }

  /** How many requests the filter lets pass. */
  async count(): Promise<number> {
    return Number(await this.page.locator('#requests').getAttribute('aria-rowcount')) - 1;
  }
}

function fakeDevtools({ tabId, entries, measure }: PanelOptions & { readonly measure: string }): void {
  const [requested, navigated]: [((entry: TestEntry) => void)[], ((url: string) => void)[]] = [[], []];
  const event = <T>(listeners: T[]): { addListener(listener: T): void } => ({ addListener: (listener) => void listeners.push(listener) });
  const devtools = {
    inspectedWindow: { tabId },
    network: { onRequestFinished: event(requested), onNavigated: event(navigated), getHAR: (callback: (har: object) => void) => callback({ entries }) },
    panels: { themeName: 'default' },
  };
  const updates: FakedWindow['updates'] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntriesByName(measure)) updates.push({ endMs: startTime + duration, lastsMs: duration });
  }).observe({ type: 'measure' });
  const faked: FakedWindow = { updates, tell: (entry) => requested.forEach((listener) => listener(entry)), navigate: (url) => navigated.forEach((listener) => listener(url)) };
  Object.assign(globalThis, faked);
  Object.defineProperty((globalThis as unknown as { chrome: object }).chrome, 'devtools', { value: devtools, configurable: true });
}
