import { expect, it } from 'vitest';
import { changeSettings, goesByHelper } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { readRemembered } from './extensionPage.ts';
import { Ground } from './ground.ts';
import { html } from './harness.ts';
import { OTHER_HOST, OWN_HOST } from './server.ts';

it('the options page lists what is remembered, by site, and has the helper forget one and all', async () => {
  const ground = await Ground.make();
  const helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST], [`--extension-id=${ground.installation.extensionId}`]);
  const browser = await ground.openFirstscreen(helper.script);
  try {
    await changeSettings(browser.context, { remember: true, connections: true, anyLink: true });
    // of what came another way nothing is known
    expect(await goesByHelper(browser.context, ground.server.helpersUrl)).toBe(true);
    const visit = ground.server.visit({ '/': html('<img src=near.png width=20 height=20>') });
    const options = await browser.context.newPage();
    await options.goto(new URL('options.html', ground.installation.origin).href);
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
  } finally {
    await browser.close();
    await ground.close();
    await helper.remove();
  }
});
