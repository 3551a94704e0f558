import { expect, it } from 'vitest';
import { Ground } from './ground.ts';
import { countOf, html } from './harness.ts';
import { OWN_HOST } from './server.ts';

/** Its parser comes to the images when they are there: the browser has asked for them ahead of it. */
const SITE = { '/': html('<img src=a.png width=20 height=20><img src=a.png width=10 height=10>', '<script src="slow.js?delay=700"></script>') };

it('a page in whose middle the extension steps aside has an image once that two elements name', async () => {
  const ground = await Ground.make();
  try {
    const browser = await ground.openFirstscreenWhenFull();
    // its worker is there, and of the link nothing is known
    await browser.change({});
    for (let load = 0; load < 2; load += 1) {
      const visit = ground.server.visit(SITE);
      const page = await browser.context.newPage();
      await page.goto(visit.url('/'), { waitUntil: 'load' });
      expect(countOf(visit)[`${OWN_HOST}/a.png`]).toBe(1);
      await page.close();
    }
  } finally {
    await ground.close();
  }
});
