import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { chromiumSwitches, type BrowserSetup } from './switches.ts';

const START_TIMEOUT_MS = 20_000;

/** A running Chromium with one blank page. */
export interface RunningChromium {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Ends the browser and everything it started; safe to call twice. */
  close(): Promise<void>;
}

/**
 * Starts Chromium with the switches of the setup and no others: Playwright's own would be part of what is measured. The
 * pipe that it is driven by closes with this process, and Chromium ends itself then. Rejects when it does not come up
 * in 20 s.
 */
export async function launchChromium(executable: string, setup: BrowserSetup): Promise<RunningChromium> {
  const context = await chromium.launchPersistentContext(setup.userDataDir, {
    executablePath: executable,
    ignoreDefaultArgs: true,
    args: chromiumSwitches(setup),
    headless: false,
    viewport: null,
    timeout: START_TIMEOUT_MS,
    // Who stops a run lets the load under way end first.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: { ...process.env, ...setup.environment },
  });
  try {
    const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: START_TIMEOUT_MS }));
    return { context, page, close: () => context.close() };
  } catch (error) {
    await context.close();
    throw error;
  }
}
