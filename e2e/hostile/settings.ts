/** The one place that knows the extension's settings, its bundles, and what shows that a mode is in force. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BrowserName, Mode } from './mode.ts';

const ROOT = path.join(import.meta.dirname, '../..');
/** Bundles with settings of tests, where the build makes them; else what ships has these settings itself. */
const TEST_BUNDLES = path.join(ROOT, 'build/extension');
const HAS_TEST_BUNDLES = existsSync(TEST_BUNDLES);
const NAMES = { chromium: 'managed', firefox: 'firefox' } as const;

/** The directory of the unpacked extension. */
export function bundleOf(browser: BrowserName): string {
  return path.join(HAS_TEST_BUNDLES ? TEST_BUNDLES : path.join(ROOT, 'dist/extension'), NAMES[browser]);
}

/** Holds on every link, also on the bed's, and goes by the helper there. */
export function settingsOf(mode: Mode): Readonly<Record<string, boolean | string | null>> {
  const [on, off] = HAS_TEST_BUNDLES ? [true, false] : ['all', null];
  return { alwaysHold: true, anyLink: true, connections: carries(mode) ? on : off };
}

/** What the extension says of its connections, as its popup would hear it; null where any answer will do. */
export const STATES: Readonly<Record<Mode, string | null>> = { stock: null, gate: null, tunnel: 'tunnel', interception: 'intercepted' };

/** Whether the helper carries requests. */
export function carries(mode: Mode): boolean {
  return mode === 'tunnel' || mode === 'interception';
}
