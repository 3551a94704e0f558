import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import type { ExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { encodeMessage } from './messageCodec.ts';
import { HelperClient } from '../testing/helperClient.ts';

/** The memory of networks in a helper's process, which is told in which network it is. */

const BENCH_ENTRY = fileURLToPath(new URL('../bench.ts', import.meta.url));

let directory: string;
let helper: HelperClient;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => {
  helper.kill();
});

async function start(): Promise<void> {
  helper = new HelperClient(process.execPath, [BENCH_ENTRY, 'host', CHROMIUM_EXTENSION_ORIGIN], { ...process.env, XDG_STATE_HOME: directory, FIRSTSCREEN_KNOWN_NETWORK: 'secret-network' });
  await helper.hello();
}

const files = (): string[] => readdirSync(join(directory, 'firstscreen')).filter((file) => file.startsWith('networks'));
const network: ExtensionMessage = { v: 1, id: 1, type: 'network', payload: {} };
const known = (wasFast: boolean): unknown => ({ v: 1, id: 1, type: 'knownNetwork', payload: { wasFast } });

it('says what it knows of the network, learns that it was slow, and forgets it with all pages, not with one site', async () => {
  await start();
  expect(await helper.ask(network)).toEqual(known(true));
  expect(await helper.ask({ v: 1, id: 2, type: 'forget', payload: { site: 'a.test' } })).toMatchObject({ type: 'forgotten' });
  expect(await helper.ask(network)).toEqual(known(true));
  await helper.write(encodeMessage({ v: 1, id: 0, type: 'judged', payload: { verdict: 'slow' } }));
  expect(await helper.ask(network)).toEqual(known(false));
  expect(files()).toEqual(['networks.json', 'networks.secret']);
  expect(await helper.ask({ v: 1, id: 3, type: 'forget', payload: { site: null } })).toMatchObject({ type: 'forgotten' });
  expect(files()).toEqual([]);
  await helper.close();
  expect(helper.log).not.toMatch(/secret-network|"level":"(warn|error)"/);
});

it('goes on where its memory is broken', async () => {
  await start();
  writeFileSync(join(directory, 'firstscreen/networks.json'), '{"version":1,"networks":[{}]}');
  expect(await helper.ask(network)).toEqual(known(false));
  expect(await helper.ask({ v: 1, id: 4, type: 'ping', payload: {} })).toMatchObject({ type: 'pong' });
  await helper.close();
});
