/** The one place that knows today's settings of the extension, and what shows that they are in force. */

import type { Mode } from './mode.ts';

/** Bundles under dist/extension. */
export const BUNDLES = { chromium: 'managed', firefox: 'firefox' } as const;

/** Holds on every link, also on the bed's, and goes by the helper there. */
export function settingsOf(mode: Mode): Readonly<Record<string, boolean | string | null>> {
  return { alwaysHold: true, anyLink: true, connections: carries(mode) ? 'all' : null };
}

/** What the extension says of its connections, as its popup would hear it. */
export const STATES: Readonly<Record<Mode, string | null>> = { stock: null, gate: 'browser', tunnel: 'tunnel', interception: 'intercepted' };

/** Whether the helper carries requests. */
export function carries(mode: Mode): boolean {
  return mode === 'tunnel' || mode === 'interception';
}
