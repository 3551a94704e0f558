import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readRemembered } from './extensionPage.ts';
import { html, restOf } from './harness.ts';
import { HelpedChromium } from './helpedChromium.ts';
import { OTHER_HOST, OWN_HOST } from './server.ts';

async function start(): Promise<HelpedChromium> {
  const chromium = await HelpedChromium.start('options.html', { remember: true });
  onTestFinished(() => chromium.close());
  return chromium;
}

it('the helper remembers what the first screen of a page needed, and the page gets nothing put in', async () => {
  const { ground, browser, own, helper } = await start();
  const visit = ground.server.visit({
    '/': html('<p>text</p><img src=near.png width=20 height=20><div style="height:5000px"></div><img src=far.png width=20 height=20>', '<link rel=stylesheet href=a.css><link id=theme rel=stylesheet href=theme.css><script src="http://["></script><script>addEventListener("load", () => theme.remove())</script>'),
    '/a.css': { type: 'text/css', body: 'p{color:red}' },
    '/theme.css': { type: 'text/css', body: 'p{color:blue}' },
  });
  const page = await browser.context.newPage();
  for (let load = 0; load < 2; load += 1) {
    await page.goto(visit.url('/'));
    await restOf(page, visit);
    await expect.poll(() => own.evaluate(readRemembered)).toBe(1);
    expect(await page.evaluate('document.querySelectorAll("link[rel=preload]").length')).toBe(0);
  }
  // the helper ends with its browser, and writes all that it has not written before
  await browser.close();
  const state = path.join(helper.dir, 'firstscreen');
  let memory = '';
  await expect.poll(async () => (memory = await textOf(state))).toContain('near.png');
  expect(memory).toContain('a.css');
  expect(memory, 'the first paint waited for it, though the page has taken it out').toContain('theme.css');
  expect(memory).not.toContain('far.png');
});

it('remembers a page of which a frame never comes', async () => {
  const { ground, browser, own } = await start();
  const visit = ground.server.visit({ '/': html('<img src=near.png width=20 height=20><iframe src=never.html></iframe>') });
  visit.hold(/never\.html/);
  const page = await browser.context.newPage();
  await page.goto(visit.url('/'), { waitUntil: 'commit' });
  await expect.poll(() => own.evaluate(readRemembered), { timeout: 20_000 }).toBe(1);
  expect(await page.evaluate('document.readyState')).toBe('interactive');
});

async function textOf(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8')));
  return texts.join('\n');
}

it('the options page lists what is remembered, by site, and has the helper forget one and all', async () => {
  const { ground, browser, own: options } = await start();
  const visit = ground.server.visit({ '/': html('<img src=near.png width=20 height=20>') });
  const page = await browser.context.newPage();
  for (const [place, host] of [OWN_HOST, OTHER_HOST].entries()) {
    await page.goto(visit.url('/', host));
    await expect.poll(() => options.evaluate(readRemembered)).toBe(place + 1);
  }
  await options.bringToFront();
  await options.reload();
  const sites = (): Promise<string[]> => options.locator('#remembered strong').allInnerTexts();
  await expect.poll(sites).toEqual([OTHER_HOST, OWN_HOST].sort());
  await options.locator('#remembered').getByLabel(`Forget ${OWN_HOST}`, { exact: true }).click();
  await expect.poll(sites).toEqual([OTHER_HOST]);
  expect(await options.locator('#remembered-said').innerText()).toMatch(/^Forgotten/);
  await options.click('#forget-all');
  await options.keyboard.press('Escape');
  expect(await sites(), 'who leaves the question has not said yes').toEqual([OTHER_HOST]);
  await options.click('#forget-all');
  await options.click('dialog button[value=forget]');
  await expect.poll(() => options.locator('#remembered-state').innerText()).toBe('Nothing is remembered.');
  expect(await sites()).toEqual([]);
});
