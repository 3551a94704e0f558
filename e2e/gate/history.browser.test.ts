import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changeSettings, goesByHelper } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { Installation, TestBrowser } from './browsers.ts';
import { readRemembered } from './extensionPage.ts';
import { html } from './harness.ts';
import { OTHER_HOST, OWN_HOST, TestServer } from './server.ts';

it('what is erased from the history of the browser the helper forgets', async () => {
  const server = await TestServer.start();
  const installation = await Installation.makeWith('history');
  const helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST]);
  const browser = await TestBrowser.firstscreenWhenFull(server.ownOrigin, installation, helper.script);
  const memory = (): Promise<string> => readFile(path.join(helper.dir, 'firstscreen/memory.json'), 'utf8').catch(() => '');
  const inHistory = async (act: string): Promise<unknown> => (await browser.worker()).evaluate(`chrome.history.${act}`);
  try {
    await changeSettings(browser.context, { remember: true, connections: true, anyLink: true });
    // of what came another way nothing is known
    expect(await goesByHelper(browser.context, server.helpersUrl)).toBe(true);
    const page = html('<p>text</p>', '<link rel=stylesheet href=a.css>');
    const visit = server.visit({ '/erased': page, '/kept': page, '/a.css': { type: 'text/css', body: 'p{color:red}' } });
    const own = await browser.openOwnPage('options.html');
    const tab = await browser.context.newPage();
    for (const [place, name] of ['/erased', '/kept'].entries()) {
      await tab.goto(visit.url(name));
      await expect.poll(() => own.evaluate(readRemembered)).toBe(place + 1);
    }
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
