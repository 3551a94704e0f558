/**
 * The helper of the benchmark and of tests, which is never packaged: without the parts that FIRSTSCREEN_PARTS_OFF
 * names.
 */
import { partsWithout } from './parts.ts';
import { start } from './start.ts';

await start(partsWithout(process.env['FIRSTSCREEN_PARTS_OFF'] ?? ''));
