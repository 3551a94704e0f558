import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changeSettings, connectionsReady } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { Installation, TestBrowser } from './browsers.ts';
import { html, restOf } from './harness.ts';
import { OTHER_HOST, OWN_HOST, TestServer } from './server.ts';

/** The page tells a second after its load. */
const LEARN_MS = 2_500;

it('what is erased from the history of the browser the helper forgets', async () => {
  const server = await TestServer.start();
  const installation = await Installation.makeWith('history');
  const helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST]);
  const browser = await TestBrowser.firstscreenWhenFull(server.ownOrigin, installation, helper.script);
  const memory = (): Promise<string> => readFile(path.join(helper.dir, 'firstscreen/memory.json'), 'utf8').catch(() => '');
  const inHistory = async (act: string): Promise<unknown> => (await browser.worker()).evaluate(`chrome.history.${act}`);
  try {
    await changeSettings(browser.context, { remember: true, connections: true, anyLink: true });
    expect(await connectionsReady(browser.context)).toBe(true);
    const page = html('<p>text</p>', '<link rel=stylesheet href=a.css>');
    const visit = server.visit({ '/first': page, '/erased': page, '/kept': page, '/a.css': { type: 'text/css', body: 'p{color:red}' } });
    const tab = await browser.context.newPage();
    const open = async (place: string): Promise<void> => {
      await tab.goto(visit.url(place));
      await restOf(tab, visit);
      await tab.waitForTimeout(LEARN_MS);
    };
    // the browser's setting is changed some 100 ms before the helper's answer is in force; a page that begins between is neither with nor without, and is not timed
    const isTimed = async (): Promise<boolean> => {
      await open('/first');
      return (await browser.worker()).evaluate("chrome.storage.session.get(null).then((kept) => Object.keys(kept).some((key) => key.startsWith('firstScreen')))");
    };
    await expect.poll(isTimed).toBe(true);
    await open('/erased');
    await open('/kept');
    await expect.poll(memory).toMatch(/\/erased"[^]*\/kept"/);
    await inHistory(`deleteUrl({ url: ${JSON.stringify(visit.url('/erased'))} })`);
    await expect.poll(memory).not.toContain('/erased"');
    expect(await memory()).toContain('/kept"');
    await inHistory('deleteAll()');
    await expect.poll(memory).not.toContain('/kept"');
    expect(await memory()).toContain('"pages":[]');
  } finally {
    await browser.close();
    await installation.remove();
    await helper.remove();
    await server.close();
  }
});
