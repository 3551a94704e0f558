/**
 * The helper of the benchmark and of tests, which is never packaged: without the parts that FIRSTSCREEN_PARTS_OFF
 * names, with the networks of FIRSTSCREEN_PUBLIC as if they were of the web, with the way of each request written to the
 * file that FIRSTSCREEN_RECORD names, and in a network that its memory has as fast where FIRSTSCREEN_KNOWN_NETWORK says
 * so: the link of the test bed has no gateway to know it by.
 */
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { publicWith } from '../../shared/src/names/addressPolicy.ts';
import { memoryPath } from './memory/memoryStore.ts';
import { NetworkStore } from './networks/networkStore.ts';
import { networkLook } from './networks/systemNetwork.ts';
import { partsWithout } from './parts.ts';
import { recordTo } from './recordFile.ts';
import { recordingOfMachine } from './recordingOfMachine.ts';
import { start } from './start.ts';

/** In a row: enough for a network to be known as fast. */
const FAST_PAGES = 10;

function rememberAsFast(network: string): void {
  const store = new NetworkStore(dirname(memoryPath({ platform: process.platform, home: homedir(), env: process.env })));
  for (let page = 0; page < FAST_PAGES; page += 1) store.judged(network, 'fast');
}

const { FIRSTSCREEN_PARTS_OFF: off = '', FIRSTSCREEN_PUBLIC: networks = '', FIRSTSCREEN_RECORD: record = '', FIRSTSCREEN_KNOWN_NETWORK: known = '' } = process.env;
const recording = recordingOfMachine();
if (record !== '') recordTo(record, recording);
if (known !== '') rememberAsFast(known);
await start({ parts: partsWithout(off), isPublic: publicWith(networks), recording, network: known === '' ? networkLook() : () => known });
