import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Chrome } from '../gate/browsers.ts';
import { html } from '../gate/harness.ts';
import { OWN_HOST, TestServer } from '../gate/server.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

/** In the middle of the link, and below it. */
const [ON_LINK, OFF_LINK] = [{ x: 40, y: 30 }, { x: 40, y: 500 }] as const;
/** In which the content script hears what is wanted of it. */
const SOON_MS = 700;
const SITE = {
  '/': { ...html('<a href=next.html>next</a>', '<style>body{margin:0}a{display:block;height:60px}</style>'), headers: { 'set-cookie': 'mine=1; Path=/' } },
  '/next.html': html('<h1>next</h1>', '<link rel=stylesheet href=style.css>'),
  '/style.css': { type: 'text/css', body: 'h1{color:red}' },
};

it('Firefox: the page of a link that the pointer rests on is asked for once in all, as Firefox asks when it is clicked', async () => {
  const server = await TestServer.start();
  const helper = await OwnNamesHelper.make([OWN_HOST]);
  const browser = await FirefoxBrowser.firstscreen({ helper: helper.script });
  try {
    const popup = await browser.openPopup();
    await popup.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ anyLink: true, connections: true, nextPage: true }));
    await popup.waitForFunction(() => document.getElementById('nextPage-note')?.textContent.startsWith('In use') === true);
    const visit = server.visit(SITE);
    const purposesOf = (name: string): unknown[] => visit.requests.filter((request) => request.name === `${OWN_HOST}/${name}`).map(({ headers }) => headers['sec-purpose']);
    const page = await browser.newPage();
    await page.mouse.move(OFF_LINK.x, OFF_LINK.y);
    await page.goto(visit.url('/'), { waitUntil: 'load' });
    await sleep(SOON_MS);
    await page.mouse.move(ON_LINK.x, ON_LINK.y);
    await expect.poll(() => purposesOf('style.css')).toEqual(['prefetch']);
    await page.mouse.click(ON_LINK.x, ON_LINK.y);
    await page.waitForSelector('h1');
    await page.waitForFunction(() => document.readyState === 'complete');
    expect(purposesOf('next.html')).toEqual(['prefetch']);
    expect(purposesOf('style.css')).toEqual(['prefetch']);
  } finally {
    await browser.close();
    await helper.remove();
    await server.close();
  }
});
