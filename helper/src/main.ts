/** The helper as it ships: every part is on. */
import { ALL_PARTS } from './parts.ts';
import { start } from './start.ts';

await start(ALL_PARTS);
