import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type HostileCase, rows, type Seen, timesAsked, toldBy } from '../case.ts';
import type { Tab, VisitTools } from '../tab.ts';
import { page, scripted } from '../page.ts';

const FAR_COUNT = 30;
/** One picture in view and many below: enough that a gate holds some while the one in view is on its way. */
const PHOTOGRAPHS = page({
  body: `<img id=near src=near.png width=100 height=100><div style="height:3000px"></div>${Array.from({ length: FAR_COUNT }, (_, i) => `<img src=far${i}.png width=400 height=300>`).join('')}`,
});
const ALL_ONCE = ['/near.png', ...Array.from({ length: FAR_COUNT }, (_, i) => `/far${i}.png`)];
/** The browser takes up to this long to tell its programs of a change of the network. */
const NETWORK_CHANGE_MS = 1_500;
const FROZEN_MS = 3_000;
/** In which a browser hears that a connection has ended. */
const HEARD_MS = 500;
const LOST_LIMIT_MS = 3_000;

function expectPhotographs(seen: Seen): void {
  expect(seen.page).toMatchObject({ images: { near: expect.stringContaining('20x20') as string } });
  for (const path of ALL_ONCE) expect(timesAsked(seen, path), path).toBe(1);
}

function expectWhole(seen: Seen): void {
  expect(seen.page).toMatchObject({ notes: { document: ['parsed', 'loaded'] } });
  expect(timesAsked(seen, '/'), '/').toBe(1);
  expectPhotographs(seen);
}

function worker(name: string, title: string, stopAt: (tab: Tab, tools: VisitTools) => Promise<unknown>): HostileCase {
  return { name, title, browsers: ['chromium'], alone: true, site: { '/': PHOTOGRAPHS }, visit: stopAt, expects: expectWhole };
}

/** Parts that die and networks that change, at each moment of a load. */
export const FAULT_CASES = rows([
  worker('worker-before', 'The extension\'s worker is stopped by the browser before the page is opened', async (tab, { url, stopWorker }) => {
    await stopWorker();
    return toldBy(tab, url('/'));
  }),
  worker('worker-held', 'The worker is stopped while pictures are held', async (tab, { url, stopWorker, hold, asked, letGo }) => {
    hold('/near.png');
    await tab.open(url('/'));
    await asked('/near.png');
    await stopWorker();
    letGo();
    return tab.finished();
  }),
  worker('worker-releasing', 'The worker is stopped while held pictures are released', async (tab, { url, stopWorker, asked }) => {
    await tab.open(url('/'));
    await asked('/far0.png');
    await stopWorker();
    return tab.finished();
  }),
  worker('worker-after', 'The worker is stopped after the load: pictures that come later come', async (tab, { url, stopWorker }) => {
    const told = await toldBy(tab, url('/'));
    await stopWorker();
    await tab.evaluate(async () => {
      const image = new Image();
      image.src = 'later.png';
      await new Promise((resolve, reject) => {
        image.onload = resolve;
        image.onerror = () => reject(new Error('the picture did not come'));
      });
    });
    return told;
  }),
  {
    name: 'suspended', title: 'The machine sleeps in mid-load (all clocks of the helper jump): the page is whole afterwards', alone: true,
    site: { '/': PHOTOGRAPHS },
    visit: async (tab, { url, hold, asked, letGo, freezeHelper }) => {
      hold('/near.png');
      await tab.open(url('/'));
      await asked('/near.png');
      await freezeHelper(FROZEN_MS);
      letGo();
      return tab.finished();
    },
    expects: expectWhole,
  },
  {
    name: 'address', title: 'The machine gets another address between two pages', alone: true,
    site: { '/': page({ body: '<img id=a src=a.png>' }), '/next': PHOTOGRAPHS },
    visit: async (tab, { url, network }) => {
      await toldBy(tab, url('/'));
      network.changeAddress();
      await sleep(NETWORK_CHANGE_MS);
      return toldBy(tab, url('/next'));
    },
    expects: expectPhotographs,
  },
  {
    name: 'link', title: 'The link goes and comes back: the next page is whole, and what failed in between failed as without', alone: true,
    site: { '/': scripted("for (let i = 0; i < 3; i++) await fetch('a.png?' + i); note('fetched', true);"), '/next': PHOTOGRAPHS, '/lost': page({}) },
    visit: async (tab, { url, network }) => {
      await toldBy(tab, url('/'));
      network.down();
      // a browser may wait for what it has sent, for as long as TCP does
      const lost = await Promise.race([tab.open(url('/lost')), sleep(LOST_LIMIT_MS, 'waits')]);
      network.up();
      await sleep(NETWORK_CHANGE_MS);
      await tab.open(url('/next'));
      return { lost: lost !== 'ok', ...((await tab.finished()) as object) };
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ lost: true });
      expectPhotographs(seen);
    },
    // what was sent into the broken link may still arrive when it is back
    compared: ({ page: told, requests }) => ({ told, requests: requests.filter((line) => !line.includes('/lost')) }),
  },
  {
    name: 'helper-killed', title: 'The helper is killed between two pages: the next one is whole', alone: true,
    site: { '/': page({ body: '<img id=a src=a.png>' }), '/next': PHOTOGRAPHS },
    visit: async (tab, { url, killHelper }) => {
      await toldBy(tab, url('/'));
      killHelper();
      // what is asked for before the browser hears of it goes down with the connection, now and then
      await sleep(HEARD_MS);
      const opened = await tab.open(url('/next'));
      return opened === 'ok' ? tab.finished() : opened;
    },
    expects: expectPhotographs,
  },
]);
