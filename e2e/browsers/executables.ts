import { join } from 'node:path';

/** Of the checkout. */
export const ROOT = join(import.meta.dirname, '../..');

/** Browsers of the distribution, unless the environment names others. */
export const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
export const FIREFOX = process.env['FIRSTSCREEN_FIREFOX'] ?? '/usr/bin/firefox-esr';

/** What ships. */
export const HELPER = join(ROOT, 'dist/helper/firstscreen-helper.mjs');
/** Folders of the extension, by its form. */
export const EXTENSIONS = join(ROOT, 'dist/extension');

/** The same for benchmarks and tests (docs/development.md): to those that ship the servers of a test bed are in a private network, and the first run of the extension opens a tab. */
export const BENCH_HELPER = join(ROOT, 'dist/bench/firstscreen-helper.mjs');
export const BENCH_RELAY = join(ROOT, 'dist/relay-bench/firstscreen-relay.mjs');
export const TEST_EXTENSIONS = join(ROOT, 'build/extension');

/** Go programs. */
const program = (name: string): string => join(ROOT, 'build/bin', `firstscreen-${name}`);
export const LINK = program('link');
export const HOSTING = program('hosting');
export const DRIVER = program('driverd');
export const TRANSFERS = program('transfers');
export const EXCHANGES = program('exchanges');
export const AGGREGATION = program('aggregation');
