import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrived, RECORDED_MS } from '../gate/arrival.ts';
import { OWN_HOST } from '../gate/server.ts';
import { SITE, allReleased, openHeld } from '../gate/siteOff.ts';
import { HelpedFirefox } from './helpedFirefox.ts';

describe('Firefox: off for a site', () => {
  let firefox: HelpedFirefox;
  beforeAll(async () => {
    firefox = await HelpedFirefox.start();
  });
  afterAll(() => firefox.close());

  const rowCount = (): Promise<number> => firefox.options.evaluate(() => document.querySelectorAll('#sites li').length);

  it('what is held goes at once, then nothing is held or goes by the helper, of whatever host; switched on again, both do from the next load on', async () => {
    const { visit: before, page: held } = await openHeld(firefox);
    await expect.poll(() => firefox.carried(before)).toContain(before.url('/'));

    await firefox.options.type('#site-text', OWN_HOST);
    await firefox.options.click('#site-form button');
    await expect.poll(rowCount).toBe(1);
    await allReleased(firefox, before);
    before.letGo();
    await arrived(held);
    await held.close();

    const off = firefox.server.visit(SITE);
    const page = await firefox.open(off);
    await arrived(page);
    expect(await firefox.countsOf(off)).toEqual({ held: 0, released: 0 });
    await sleep(RECORDED_MS);
    expect(await firefox.carried(off)).toEqual([]);

    await firefox.options.click('#sites li button');
    await expect.poll(rowCount).toBe(0);
    const again = firefox.server.visit(SITE);
    const next = await firefox.open(again);
    await expect.poll(async () => (await firefox.countsOf(again))?.held).toBeGreaterThan(0);
    await arrived(next);
    await expect.poll(() => firefox.carried(again)).toContain(again.url('/'));
  });
});
