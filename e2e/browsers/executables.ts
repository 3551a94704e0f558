import { join } from 'node:path';

/** What is started: browsers of the distribution and the helper as it ships, unless the environment names others. */
export const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
export const FIREFOX = process.env['FIRSTSCREEN_FIREFOX'] ?? '/usr/bin/firefox-esr';
export const HELPER = process.env['FIRSTSCREEN_HELPER'] ?? join(import.meta.dirname, '../../dist/helper/firstscreen-helper.mjs');
