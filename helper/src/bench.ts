/**
 * The helper of the benchmark and of tests, which is never packaged: without the parts that FIRSTSCREEN_PARTS_OFF
 * names, with the networks of FIRSTSCREEN_PUBLIC as if they were of the web, and with the way of each request written
 * to the file that FIRSTSCREEN_RECORD names.
 */
import { publicWith } from '../../shared/src/names/addressPolicy.ts';
import { partsWithout } from './parts.ts';
import { recordTo } from './recordFile.ts';
import { recordingOfMachine } from './recordingOfMachine.ts';
import { start } from './start.ts';

const { FIRSTSCREEN_PARTS_OFF: off = '', FIRSTSCREEN_PUBLIC: networks = '', FIRSTSCREEN_RECORD: record = '' } = process.env;
const recording = recordingOfMachine();
if (record !== '') recordTo(record, recording);
await start({ parts: partsWithout(off), isPublic: publicWith(networks), recording });
