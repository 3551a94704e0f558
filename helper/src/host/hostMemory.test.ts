import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { UNSEEN_DOCUMENT } from '../../../shared/src/memory/neededObject.ts';
import type { ExtensionMessage, HelperMessage } from '../../../shared/src/protocol/native.ts';
import { MemoryStore } from '../memory/memoryStore.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { HelperClient } from '../testing/helperClient.ts';
import { HELPER_ENTRY, startHelper } from '../testing/startHelper.ts';
import { encodeMessage } from './messageCodec.ts';

/** The memory that two browsers of a user share, each with a helper process of its own. */

let directory: string;
let path: string;
let running: HelperClient[];
beforeEach(() => {
  directory = temporaryDirectory();
  path = join(directory, 'firstscreen/memory.json');
  running = [];
  const store = new MemoryStore(path);
  for (const url of ['https://www.a.test/', 'https://a.test/secret', 'https://b.test/']) {
    store.visited({ url, asked: url, objects: [{ url: 'https://static.test/s.css', kind: 'style', bytes: 10, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } }], origins: [], document: UNSEEN_DOCUMENT, addresses: [] });
  }
  store.save();
});
afterEach(() => {
  for (const client of running) client.kill();
});

async function start(): Promise<HelperClient> {
  const client = startHelper(undefined, { XDG_STATE_HOME: directory, FIRSTSCREEN_LOG: 'debug' });
  running.push(client);
  await client.hello();
  return client;
}

const remembered: ExtensionMessage = { v: 1, id: 1, type: 'remembered', payload: {} };
const forget = (site: string | null): ExtensionMessage => ({ v: 1, id: 2, type: 'forget', payload: { site } });
const historyRemoved = (urls: string[] | null): ExtensionMessage => ({ v: 1, id: 3, type: 'historyRemoved', payload: { urls } });
const sitesOf = (answer: HelperMessage): unknown => (answer.type === 'rememberedSites' ? answer.payload.sites.map(({ site, pages }) => `${site} ${pages}`) : answer);

it('what one browser forgets the other one knows no more, nor writes back', async () => {
  const [one, other] = [await start(), await start()];
  for (const helper of [one, other]) expect(sitesOf(await helper.ask(remembered))).toEqual(['a.test 2', 'b.test 1']);
  expect(await one.ask(forget('a.test'))).toMatchObject({ type: 'forgotten', payload: { pages: 2 } });
  expect(sitesOf(await other.ask(remembered))).toEqual(['b.test 1']);
  expect(await other.ask(historyRemoved(['http://b.test/?q=1']))).toMatchObject({ type: 'forgotten', payload: { pages: 1 } });
  expect(sitesOf(await one.ask(remembered))).toEqual([]);
  expect(await one.ask(historyRemoved(null))).toMatchObject({ type: 'forgotten', payload: { pages: 0 } });
  for (const helper of [one, other]) await helper.close();
  expect(readFileSync(path, 'utf8')).not.toMatch(/a\.test|b\.test/);
  expect(one.log + other.log).not.toMatch(/a\.test|b\.test/);
});

it('says so where the file can not be changed, and goes on', async () => {
  const helper = await start();
  rmSync(path);
  mkdirSync(join(path, 'in the way'), { recursive: true });
  for (const message of [remembered, forget('a.test'), historyRemoved(['https://a.test/secret'])]) expect(await helper.ask(message)).toMatchObject({ id: message.id, type: 'error', payload: { code: 'E_MEMORY' } });
  expect(await helper.ask({ v: 1, id: 4, type: 'ping', payload: {} })).toMatchObject({ type: 'pong' });
  await helper.close();
  expect(helper.log).toContain('E_MEMORY');
  expect(helper.log).not.toMatch(/a\.test|secret/);
});

it('once it was uninstalled under it, a helper writes nothing any more', async () => {
  const program = join(directory, 'program.ts');
  symlinkSync(HELPER_ENTRY, program);
  const helper = new HelperClient(process.execPath, [program, 'host', CHROMIUM_EXTENSION_ORIGIN], { ...process.env, XDG_STATE_HOME: directory });
  running.push(helper);
  await helper.hello();
  const visit = { url: 'https://c.test/', asked: 'https://c.test/', objects: [], origins: ['https://cdn.test'] };
  const store = new MemoryStore(path);
  store.visited({ ...visit, document: UNSEEN_DOCUMENT, addresses: [] });
  store.save();
  await helper.write(encodeMessage({ v: 1, id: 0, type: 'visited', payload: visit }));
  expect(sitesOf(await helper.ask(remembered))).toContain('c.test 1');
  for (const gone of [program, path]) rmSync(gone);
  // not written yet, and known all the same
  expect(sitesOf(await helper.ask(remembered))).toEqual(['c.test 1']);
  await helper.close();
  expect(() => readFileSync(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }) as Error);
});

it('what is too old goes with a helper that was never asked for it', async () => {
  const aged = readFileSync(path, 'utf8').replaceAll(/"day":(\d+)/g, (_, day: string) => `"day":${Number(day) - 61}`);
  writeFileSync(path, aged);
  await (await start()).close();
  expect(readFileSync(path, 'utf8')).not.toMatch(/a\.test|b\.test/);
});

it('so does a file of another version that is too old', async () => {
  writeFileSync(path, '{"version":1,"pages":["https://a.test/"]}');
  const writtenS = (Date.now() - 61 * DAY_MS) / 1000;
  utimesSync(path, writtenS, writtenS);
  await (await start()).close();
  expect(() => readFileSync(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }) as Error);
});
