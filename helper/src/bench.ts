/**
 * The helper of the benchmark and of tests, which is never packaged: without the parts that FIRSTSCREEN_PARTS_OFF
 * names, and with the networks of FIRSTSCREEN_PUBLIC as if they were of the web.
 */
import { publicWith } from './names/addressPolicy.ts';
import { partsWithout } from './parts.ts';
import { start } from './start.ts';

const { FIRSTSCREEN_PARTS_OFF: off = '', FIRSTSCREEN_PUBLIC: networks = '' } = process.env;
await start({ parts: partsWithout(off), isPublic: publicWith(networks) });
