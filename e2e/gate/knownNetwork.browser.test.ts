import { expect, it } from 'vitest';
import { changeSettings, connectionsBecome, goesByHelper, GOES_BY_ITSELF } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { arrived, carriedBy, RECORDED_MS } from './arrival.ts';
import { Ground } from './ground.ts';
import { html } from './harness.ts';
import { OWN_HOST } from './server.ts';

it('in a network that was fast a browser goes by itself from its first page on, and by the helper when the link turns out to be slow', async () => {
  const ground = await Ground.make();
  const helper = await OwnNamesHelper.make([OWN_HOST], [`--extension-id=${ground.installation.extensionId}`], [], 'known');
  const browser = await ground.openFirstscreenWhenFull(helper.script);
  try {
    await changeSettings(browser.context, { connections: true, remember: true });
    expect(await connectionsBecome(browser.context, GOES_BY_ITSELF)).toBe(true);
    const visit = ground.server.visit({ '/': html('<img src=near.png width=20 height=20>') });
    const page = await browser.context.newPage();
    await page.goto(visit.url('/'));
    await arrived(page);
    await page.waitForTimeout(RECORDED_MS);
    expect(await carriedBy(helper, visit)).toEqual([]);
    await changeSettings(browser.context, { anyLink: true });
    expect(await goesByHelper(browser.context, ground.server.helpersUrl)).toBe(true);
    await page.goto(visit.url('/'));
    await arrived(page);
    await expect.poll(() => carriedBy(helper, visit)).toContain(visit.url('/'));
  } finally {
    await ground.close();
    await helper.remove();
  }
});
