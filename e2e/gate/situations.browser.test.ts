import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HELPER } from '../browsers/executables.ts';
import { changeSettings, helperEnvironment, trustHelper } from '../browsers/extension.ts';
import { helperPids } from '../browsers/helperProcesses.ts';
import { FirefoxBrowser } from '../firefox/firefoxBrowser.ts';
import type { TestBrowser } from './browsers.ts';
import { goWithout, type ExtensionPage } from './extensionPage.ts';
import { changingHelper, fakeHelper, realHelper } from './fakeHelper.ts';
import { FAST_SITE } from './fastSite.ts';
import { Ground } from './ground.ts';
import { html } from './harness.ts';
import { OWN_HOST, type Site } from './server.ts';

const SITE: Site = {
  '/': html('<p>text</p><img src=a.png width=20 height=20>'),
  '/served.html': html("<p>text</p><script>navigator.serviceWorker.register('worker.js')</script>"),
  '/worker.js': { type: 'text/javascript', body: "addEventListener('activate', (event) => event.waitUntil(clients.claim()));" },
};

/** A little more than nothing is asked for between pages (extension/src/background/payoff.ts). */
const REST_MS = 2_500;
/** Twice what a popup learns late (extension/src/background/popups.ts). */
const TOLD_MS = 500;
const DAY_MS = 86_400_000;
/** As *Measure this page* keeps it (extension/src/settings/measuredPages.ts), of a link that the test's is not. */
const MEASURED = {
  link: { rateBitsPerSecond: 100_000, rttMs: 900 }, visit: 'first', isCold: true, pairs: 8, shows: 'sooner', ratio: { value: 0.8, low: 0.75, high: 0.82 }, mediansMs: { with: 2_000, without: 2_500 }, stock: null,
};

/** A page of either driver of browsers. */
interface Tab {
  evaluate(script: string): Promise<unknown>;
  goto(url: string): Promise<unknown>;
  bringToFront(): Promise<void>;
  close(): Promise<void>;
}

/** A browser with the extension as it is installed, with a gate and without a helper. */
interface Opened {
  readonly popup: Tab;
  newTab(): Promise<Tab>;
  /** In a container. */
  newContainerTab(): Promise<Tab>;
  readonly closedPage: string;
  close(): Promise<void>;
}

/** The popup, its background script and real pages: what is said in each situation has a table of its own (extension/src/situation/describe.test.ts). */
describe.each(['Chromium', 'Firefox'] as const)('what the popup says in %s', (name) => {
  let ground: Ground;
  let opened: Opened;
  let tab: Tab;

  async function openChromium(): Promise<Opened> {
    const browser = await ground.openFirstscreenWhenFull();
    const popup = await browser.openOwnPage('popup.html');
    return { popup, newTab: () => browser.context.newPage(), newContainerTab: () => Promise.reject(new Error('Chromium has no containers')), closedPage: 'chrome://version', close: () => browser.close() };
  }

  async function openFirefox(): Promise<Opened> {
    const browser = await FirefoxBrowser.firstscreen({ preferences: { 'dom.securecontext.allowlist': OWN_HOST } });
    return { popup: await browser.openPopup(), newTab: () => browser.newPage(), newContainerTab: () => browser.newContainerPage(), closedPage: 'about:blank', close: () => browser.close() };
  }

  beforeAll(async () => {
    ground = await Ground.make();
    opened = await (name === 'Chromium' ? openChromium() : openFirefox());
    tab = await opened.newTab();
    await tab.bringToFront();
  });
  afterEach(() => set({ alwaysHold: false }));
  afterAll(async () => {
    await opened.close();
    await ground.close();
  });

  const textOf = (id: string) => async (): Promise<unknown> => opened.popup.evaluate(`document.getElementById('${id}').textContent`);
  /** With what it says so for. */
  const said = async (): Promise<object> => ({ headline: await textOf('headline')(), status: await opened.popup.evaluate("chrome.tabs.query({ active: true }).then(([{ id }]) => chrome.runtime.sendMessage({ type: 'status', tabId: id }))") });
  const click = (id: string): Promise<unknown> => opened.popup.evaluate(`document.getElementById('${id}').click()`);
  // a question is answered when settings are in force
  const set = (settings: object): Promise<unknown> => opened.popup.evaluate(`chrome.storage.local.set(${JSON.stringify(settings)}).then(() => chrome.runtime.sendMessage({ type: 'status', tabId: -1 }))`);

  it('a fast link, as loopback is: stands aside, and times nothing', async () => {
    // a browser's first answers may take as long as on a slow one: it is judged again between pages (payoff.ts), and the next one is not timed
    await expect.poll(async () => {
      await tab.goto(ground.server.visit(FAST_SITE).url('/'));
      await sleep(REST_MS);
      return { ...(await said()), took: await textOf('took')() };
    }).toMatchObject({ headline: 'Not needed now', took: '' });
  });

  it('a slow one: is ready, and says how long the first screen took, of each page its own', async () => {
    await set({ anyLink: true });
    await tab.goto(ground.server.visit(SITE).url('/'));
    await expect.poll(said).toMatchObject({ headline: 'Ready' });
    await expect.poll(textOf('took')).toMatch(/^First screen of this page: \d\.\d\d? s\.$/);
    const next = ground.server.visit(SITE);
    next.hold(/a\.png/);
    void tab.goto(next.url('/')).catch(() => undefined);
    await expect.poll(textOf('took')).toBe('');
    next.letGo();
    await expect.poll(textOf('took')).toMatch(/^First screen/);
    // nothing was measured, and so no gain is told
    expect([await textOf('gain')(), await textOf('visits')()]).toEqual(['', '']);
    await set({ measured: [{ ...MEASURED, page: next.url('/'), atMs: Date.now() - DAY_MS }] });
    await expect.poll(textOf('gain')).toBe('Measured on another link (yesterday), but not on this one.');
  });

  it('loaded anew while it was off: does not tell any more how long it took before', async () => {
    const url = ground.server.visit(SITE).url('/');
    await tab.goto(url);
    await expect.poll(textOf('took')).toMatch(/^First screen/);
    await set({ enabled: false });
    await tab.goto(url);
    await set({ enabled: true });
    await expect.poll(textOf('headline')).toBe('Ready');
    expect(await textOf('took')()).toBe('');
  });

  it('images are held: says how many', async () => {
    await set({ alwaysHold: true });
    // a browser may bring the background script the question before the change: nothing of such a page is held
    await expect.poll(async () => {
      await tab.goto(ground.server.visit(SITE).url('/'));
      await sleep(TOLD_MS);
      return textOf('headline')();
    }).toBe('Working on this page');
    const counted = async (): Promise<unknown[]> => {
      const [held = 0, inView = 0, others = 0, waiting] = String(await textOf('detail')()).match(/-?\d+/g)?.map(Number) ?? [];
      return [await textOf('headline')(), held > 0, held - inView - others, waiting];
    };
    // as many are let go as were held, of this page alone; Firefox asks for its icon, too
    await expect.poll(counted).toEqual(['Working on this page', true, 0, 0]);
  });

  it('a page with a service worker of its own: stands aside', async () => {
    await tab.goto(ground.server.visit(SITE).url('/served.html'));
    await expect.poll(textOf('headline')).toBe('Stands aside on this page');
    expect(await textOf('detail')()).toContain('service worker');
  });

  it('off for the site, by the popup, and on again', async () => {
    await tab.goto(ground.server.visit(SITE).url('/'));
    await expect.poll(textOf('site-label')).toContain(OWN_HOST);
    await click('siteEnabled');
    await expect.poll(textOf('headline')).toBe('Off for this site');
    expect(await textOf('took')()).toBe('');
    await click('siteEnabled');
    await expect.poll(textOf('headline')).not.toBe('Off for this site');
  });

  it('a page into which the browser lets no extension', async () => {
    await tab.goto(opened.closedPage);
    await tab.bringToFront();
    await set({ nextPage: false });
    await expect.poll(textOf('headline')).toBe('Not on this page');
  });

  // as of a private window, of which no driver of browsers lets an extension know
  if (name === 'Firefox') it('a container: works there, without the helper, and keeps no time', async () => {
    const apart = await opened.newContainerTab();
    await apart.goto(ground.server.visit(SITE).url('/'));
    await apart.bringToFront();
    await expect.poll(textOf('detail')).toContain('The helper has no part in private windows and containers.');
    expect(await textOf('took')()).toBe('');
    await apart.close();
    await tab.bringToFront();
  });

  it('switched off', async () => {
    await click('enabled');
    await expect.poll(textOf('headline')).toBe('Off');
  });

  // Chromium lets nobody take back what a manifest asks for but on its own page
  if (name === 'Firefox') it('no access to websites, which the user has taken back', async () => {
    await click('enabled');
    await opened.popup.evaluate("chrome.permissions.remove({ origins: ['http://*/*', 'https://*/*'] })");
    await expect.poll(textOf('headline')).toBe('No access to websites');
    expect(await opened.popup.evaluate("document.getElementById('access').checkVisibility()")).toBe(true);
  });
});

/** Without a gate all depends on the helper: the same browser finds one after the other. */
describe('what the popup says in Chromium without a gate', () => {
  let ground: Ground;
  let browser: TestBrowser;
  let popup: Page;
  let page: Page;
  /** Of the helpers, and what stands in for the user's home. */
  let dir: string;

  beforeAll(async () => {
    ground = await Ground.make('unpacked');
    dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-situations-'));
    for (const name of ['dies', 'silent', 'old', 'refusing'] as const) await writeFile(path.join(dir, name), fakeHelper(name), { mode: 0o755 });
    await writeFile(path.join(dir, 'real'), realHelper(path.join(dir, 'pids'), ground.installation.extensionId), { mode: 0o755 });
    await writeFile(path.join(dir, 'now'), 'dies');
    browser = await ground.openFirstscreenWhenFull(changingHelper(dir), helperEnvironment(dir));
    await changeSettings(browser.context, { anyLink: true });
    popup = await browser.openOwnPage('popup.html');
    page = await browser.context.newPage();
    await page.goto(ground.server.visit(SITE).url('/'));
  });
  afterAll(async () => {
    await ground.close();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  const textOf = (id: string) => (): Promise<string | null> => popup.locator(`#${id}`).textContent();

  /** Another helper is there from now on, and is looked for at once. */
  async function change(name: string): Promise<void> {
    await writeFile(path.join(dir, 'now'), name);
    for (const pid of helperPids(path.join(dir, 'pids'))) if (existsSync(`/proc/${pid}`)) process.kill(pid);
    await expect.poll(() => popup.evaluate(readHelperState)).toBe('absent');
    await popup.evaluate(lookForHelper);
  }

  it('no helper: says that it needs one, and leads to it', async () => {
    await expect.poll(textOf('headline')).toBe('In this browser Firstscreen needs its helper');
    expect(await popup.evaluate(() => document.getElementById('set-up')?.checkVisibility())).toBe(true);
  });

  it('a helper that has not answered yet', async () => {
    await change('silent');
    // that it is being looked for is no news for a popup that is open, and so only for some seconds
    await expect.poll(async () => {
      await popup.evaluate(lookForHelper);
      await popup.reload();
      await popup.waitForSelector('body[data-ready]');
      return textOf('headline')();
    }).toBe('Looking for the helper');
  });

  it('a helper whose connections are not switched on', async () => {
    await change('old');
    await expect.poll(textOf('headline')).toBe('Nothing is put in order');
  });

  it('a helper that is too old for what is switched on', async () => {
    await changeSettings(browser.context, { connections: true });
    await expect.poll(textOf('headline')).toBe('The helper is too old');
  });

  it('a helper that takes no requests: says how to see why, wherever the program is', async () => {
    await change('refusing');
    await expect.poll(textOf('headline')).toBe('The helper did not take the requests');
    expect([await textOf('command')(), await textOf('command-by-path')()]).toEqual(['firstscreen-helper doctor', expect.stringMatching(/\/firstscreen-helper\.bin doctor$/)]);
  });

  it('a helper to which encrypted connections stay closed', async () => {
    await change('real');
    await expect.poll(textOf('headline')).toBe('The helper puts plain requests in order');
  });

  it('another tab is loaded once without: pauses, until its next page', async () => {
    const other = await browser.context.newPage();
    const [first, second] = [ground.server.visit(SITE), ground.server.visit(SITE)];
    await other.goto(first.url('/'));
    await page.bringToFront();
    const reloaded = other.waitForEvent('load');
    expect(await popup.evaluate(goWithout, first.url('/'))).toBe(true);
    await reloaded;
    await expect.poll(textOf('headline')).toBe('Paused');
    await other.goto(second.url('/'));
    await expect.poll(textOf('headline')).toBe('The helper puts plain requests in order');
    await other.close();
  });

  it('a helper that may open encrypted connections', async () => {
    await trustHelper(HELPER, dir, null);
    await expect.poll(async () => {
      await popup.evaluate(lookForHelper);
      return textOf('headline')();
    }).toBe('The helper puts requests in order');
  });
});

/** These run in a page of the extension, as text. */
function readHelperState(): Promise<string> {
  return (globalThis as unknown as ExtensionPage).chrome.runtime.sendMessage<{ helper: string }>({ type: 'status', tabId: -1 }).then(({ helper }) => helper);
}

/** As the welcome page does; does not wait for what is found. */
function lookForHelper(): void {
  void (globalThis as unknown as ExtensionPage).chrome.runtime.sendMessage({ type: 'look' });
}
