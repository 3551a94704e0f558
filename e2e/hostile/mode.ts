export type BrowserName = 'chromium' | 'firefox';
/** With what a page is loaded: nothing of ours; the gate alone; gate and tunnels of the helper; gate and interception. */
export const MODES = ['stock', 'gate', 'tunnel', 'interception'] as const;
export type Mode = (typeof MODES)[number];
