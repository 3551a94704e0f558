/** The one place that knows the extension's settings, its bundles, and what shows that a mode is in force. */

import path from 'node:path';
import { TEST_EXTENSIONS } from '../browsers/executables.ts';
import type { BrowserName, Mode } from './mode.ts';

const NAMES = { chromium: 'managed', firefox: 'firefox' } as const;

/** The directory of the unpacked extension. */
export function bundleOf(browser: BrowserName): string {
  return path.join(TEST_EXTENSIONS, NAMES[browser]);
}

/** Holds on every link, also on the bed's, and goes by the helper there. */
export function settingsOf(mode: Mode): Readonly<Record<string, boolean>> {
  return { alwaysHold: true, anyLink: true, connections: carries(mode) };
}

/** What the extension says of its connections, as its popup would hear it; null where any answer will do. */
export const STATES: Readonly<Record<Mode, string | null>> = { stock: null, gate: null, tunnel: 'tunnel', interception: 'intercepted' };

/** Whether the helper carries requests. */
export function carries(mode: Mode): boolean {
  return mode === 'tunnel' || mode === 'interception';
}
