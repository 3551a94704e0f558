/**
 * The relay of the benchmark and of tests, which is never packaged: with the networks of FIRSTSCREEN_PUBLIC as if they were of the web, and the authorities in the file FIRSTSCREEN_AUTHORITIES
 * as if browsers had them.
 */
import { readFileSync } from 'node:fs';
import { publicWith } from '../../shared/src/names/addressPolicy.ts';
import { start } from './start.ts';

const authorities = process.env['FIRSTSCREEN_AUTHORITIES'];
await start(publicWith(process.env['FIRSTSCREEN_PUBLIC'] ?? ''), authorities === undefined ? null : readFileSync(authorities, 'utf8'));
