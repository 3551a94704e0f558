import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { readRemembered } from '../gate/extensionPage.ts';
import { html } from '../gate/harness.ts';
import { OWN_HOST, TestServer } from '../gate/server.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

/** What the test uses of the extension's API. */
interface Extension {
  readonly chrome: {
    readonly storage: { readonly local: { set(items: object): Promise<void> } };
    readonly permissions: { request(permissions: object): Promise<boolean> };
    readonly history: { deleteUrl(details: { url: string }): Promise<void>; deleteAll(): Promise<void> };
  };
}

it('Firefox: what is erased from the history the helper forgets, once the permission is given while the extension runs', async () => {
  const server = await TestServer.start();
  const helper = await OwnNamesHelper.make([OWN_HOST]);
  const browser = await FirefoxBrowser.firstscreen({ helper: helper.script, preferences: { 'extensions.webextOptionalPermissionPrompts': false } });
  const memory = (): Promise<string> => readFile(path.join(helper.dir, 'firstscreen/memory.json'), 'utf8').catch(() => '');
  try {
    const popup = await browser.openPopup();
    await popup.evaluate(() => (globalThis as unknown as Extension).chrome.storage.local.set({ anyLink: true, remember: true, connections: true }));
    await expect.poll(() => popup.evaluate(() => document.getElementById('connections-note')?.textContent ?? '')).toMatch(/^In use/);
    const page = html('<p>text</p>', '<link rel=stylesheet href=a.css>');
    const visit = server.visit({ '/erased': page, '/kept': page, '/a.css': { type: 'text/css', body: 'p{color:red}' } });
    const tab = await browser.newPage();
    for (const [place, name] of ['/erased', '/kept'].entries()) {
      await tab.goto(visit.url(name));
      await expect.poll(() => popup.evaluate(readRemembered)).toBe(place + 1);
    }
    await expect.poll(memory).toMatch(/\/erased"[^]*\/kept"/);
    // only inside a click
    await popup.evaluate(() => {
      const button = document.createElement('button');
      button.id = 'ask';
      button.textContent = 'ask';
      button.addEventListener('click', () => {
        void (globalThis as unknown as Extension).chrome.permissions.request({ permissions: ['history'] }).then((isGiven) => (button.textContent = String(isGiven)));
      });
      document.body.prepend(button);
    });
    await popup.click('#ask');
    await expect.poll(() => popup.evaluate(() => document.getElementById('ask')?.textContent)).toBe('true');
    await popup.evaluate((url) => (globalThis as unknown as Extension).chrome.history.deleteUrl({ url }), visit.url('/erased'));
    await expect.poll(memory).not.toContain('/erased"');
    expect(await memory()).toContain('/kept"');
    await popup.evaluate(() => (globalThis as unknown as Extension).chrome.history.deleteAll());
    await expect.poll(memory).toContain('"pages":[]');
  } finally {
    await browser.close();
    await helper.remove();
    await server.close();
  }
});
