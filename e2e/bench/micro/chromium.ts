import path from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { CHROMIUM, TEST_EXTENSIONS } from '../../browsers/executables.ts';

const EXTENSION_DIR = path.join(TEST_EXTENSIONS, 'chromium');
const SWITCHES = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const VIEWPORT = { width: 1366, height: 768 };

export interface Launch {
  readonly executable: string;
  readonly args: readonly string[];
  readonly ignoreDefaultArgs?: string[];
}

/** The built extension as users load it, but for the tab that the first run opens beside what is measured. */
export const UNPACKED: Launch = { executable: CHROMIUM, args: [`--disable-extensions-except=${EXTENSION_DIR}`, `--load-extension=${EXTENSION_DIR}`] };

export function launch({ executable, args, ...options }: Launch, profileDir: string): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profileDir, { executablePath: executable, headless: false, viewport: VIEWPORT, args: [...SWITCHES, ...args], ...options });
}
