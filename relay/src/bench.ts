/** The relay of the benchmark and of tests, which is never packaged: with the networks of FIRSTSCREEN_PUBLIC as if they were of the web. */
import { publicWith } from '../../shared/src/names/addressPolicy.ts';
import { start } from './start.ts';

await start(publicWith(process.env['FIRSTSCREEN_PUBLIC'] ?? ''));
