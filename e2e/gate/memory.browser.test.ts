import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { changeSettings, goesByHelper } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { readRemembered } from './extensionPage.ts';
import { Ground } from './ground.ts';
import { html, restOf } from './harness.ts';
import { OTHER_HOST, OWN_HOST } from './server.ts';

it('the helper remembers what the first screen of a page needed, and the page gets nothing put in', async () => {
  const ground = await Ground.make();
  const helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST], [`--extension-id=${ground.installation.extensionId}`]);
  const browser = await ground.openFirstscreen(helper.script);
  try {
    await changeSettings(browser.context, { remember: true, connections: true, anyLink: true });
    expect(await goesByHelper(browser.context, ground.server.helpersUrl)).toBe(true);
    const visit = ground.server.visit({
      '/': html('<p>text</p><img src=near.png width=20 height=20><div style="height:5000px"></div><img src=far.png width=20 height=20>', '<link rel=stylesheet href=a.css><link id=theme rel=stylesheet href=theme.css><script src="http://["></script><script>addEventListener("load", () => theme.remove())</script>'),
      '/a.css': { type: 'text/css', body: 'p{color:red}' },
      '/theme.css': { type: 'text/css', body: 'p{color:blue}' },
    });
    const own = await browser.context.newPage();
    await own.goto(new URL('options.html', ground.installation.origin).href);
    const page = await browser.context.newPage();
    for (let load = 0; load < 2; load += 1) {
      await page.goto(visit.url('/'));
      await restOf(page, visit);
      await expect.poll(() => own.evaluate(readRemembered)).toBe(1);
      expect(await page.evaluate('document.querySelectorAll("link[rel=preload]").length')).toBe(0);
    }
  } finally {
    await browser.close();
    await ground.close();
  }
  // written when the helper ends with its browser
  const state = path.join(helper.dir, 'firstscreen');
  let memory = '';
  await expect.poll(async () => (memory = await textOf(state))).toContain('near.png');
  expect(memory).toContain('a.css');
  expect(memory, 'the first paint waited for it, though the page has taken it out').toContain('theme.css');
  expect(memory).not.toContain('far.png');
  await helper.remove();
});

it('remembers a page of which a frame never comes', async () => {
  const ground = await Ground.make();
  const helper = await OwnNamesHelper.make([OWN_HOST], [`--extension-id=${ground.installation.extensionId}`]);
  const browser = await ground.openFirstscreen(helper.script);
  try {
    await changeSettings(browser.context, { remember: true, connections: true, anyLink: true });
    expect(await goesByHelper(browser.context, ground.server.helpersUrl)).toBe(true);
    const visit = ground.server.visit({ '/': html('<img src=near.png width=20 height=20><iframe src=never.html></iframe>') });
    visit.hold(/never\.html/);
    const own = await browser.context.newPage();
    await own.goto(new URL('options.html', ground.installation.origin).href);
    const page = await browser.context.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'commit' });
    await expect.poll(() => own.evaluate(readRemembered), { timeout: 20_000 }).toBe(1);
    expect(await page.evaluate('document.readyState')).toBe('interactive');
  } finally {
    await browser.close();
    await ground.close();
    await helper.remove();
  }
});

async function textOf(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(entries.filter((entry) => entry.isFile()).map((entry) => readFile(path.join(entry.parentPath, entry.name), 'utf8')));
  return texts.join('\n');
}
