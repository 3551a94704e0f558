import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FirefoxBrowser } from '../firefox/firefoxBrowser.ts';
import { Installation, TestBrowser } from './browsers.ts';
import { html } from './harness.ts';
import { OWN_HOST, TestServer, type Site } from './server.ts';

const SITE: Site = {
  '/': html('<p>text</p><img src=a.png width=20 height=20>'),
  '/served.html': html("<p>text</p><script>navigator.serviceWorker.register('worker.js')</script>"),
  '/worker.js': { type: 'text/javascript', body: "addEventListener('activate', (event) => event.waitUntil(clients.claim()));" },
};

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
  let server: TestServer;
  let installation: Installation;
  let opened: Opened;
  let tab: Tab;

  async function openChromium(): Promise<Opened> {
    const browser = await TestBrowser.firstscreenWhenFull(server.ownOrigin, installation);
    const popup = await browser.context.newPage();
    await popup.goto(`${installation.origin}popup.html`);
    return { popup, newTab: () => browser.context.newPage(), newContainerTab: () => Promise.reject(new Error('Chromium has no containers')), closedPage: 'chrome://version', close: () => browser.close() };
  }

  async function openFirefox(): Promise<Opened> {
    const browser = await FirefoxBrowser.firstscreen({ preferences: { 'dom.securecontext.allowlist': OWN_HOST } });
    return { popup: await browser.openPopup(), newTab: () => browser.newPage(), newContainerTab: () => browser.newContainerPage(), closedPage: 'about:blank', close: () => browser.close() };
  }

  beforeAll(async () => {
    server = await TestServer.start();
    installation = await Installation.make('managed');
    opened = await (name === 'Chromium' ? openChromium() : openFirefox());
    tab = await opened.newTab();
    await tab.bringToFront();
  });
  afterAll(async () => {
    await opened.close();
    await installation.remove();
    await server.close();
  });

  const textOf = (id: string) => async (): Promise<unknown> => opened.popup.evaluate(`document.getElementById('${id}').textContent`);
  const click = (id: string): Promise<unknown> => opened.popup.evaluate(`document.getElementById('${id}').click()`);
  const set = (settings: object): Promise<unknown> => opened.popup.evaluate(`chrome.storage.local.set(${JSON.stringify(settings)})`);

  it('a fast link, as loopback is: stands aside, and times nothing', async () => {
    // Firefox's first answers take as long as on a slow one
    await expect.poll(async () => {
      await tab.goto(server.visit(SITE).url('/'));
      return textOf('headline')();
    }).toBe('Not needed now');
    expect(await textOf('took')()).toBe('');
  });

  it('a slow one: is ready, and says how long the first screen took, of each page its own', async () => {
    await set({ anyLink: true });
    await tab.goto(server.visit(SITE).url('/'));
    await expect.poll(textOf('headline')).toBe('Ready');
    await expect.poll(textOf('took')).toMatch(/^First screen of this page: \d\.\d\d? s\.$/);
    const next = server.visit(SITE);
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

  it('a page with a service worker of its own: stands aside', async () => {
    await tab.goto(server.visit(SITE).url('/served.html'));
    await expect.poll(textOf('headline')).toBe('Stands aside on this page');
    expect(await textOf('detail')()).toContain('service worker');
  });

  it('off for the site, by the popup, and on again', async () => {
    await tab.goto(server.visit(SITE).url('/'));
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
    await apart.goto(server.visit(SITE).url('/'));
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
});

it('Chromium without a gate, and without a helper: says that it needs one, and leads to it', async () => {
  const server = await TestServer.start();
  const installation = await Installation.make('unpacked');
  const browser = await TestBrowser.firstscreenWhenFull(server.ownOrigin, installation);
  try {
    const popup = await browser.context.newPage();
    await popup.goto(`${installation.origin}popup.html`);
    const page = await browser.context.newPage();
    await page.goto(server.visit(SITE).url('/'));
    await expect.poll(() => popup.locator('#headline').textContent()).toBe('In this browser Firstscreen needs its helper');
    expect(await popup.evaluate(() => document.getElementById('set-up')?.checkVisibility())).toBe(true);
  } finally {
    await browser.close();
    await installation.remove();
    await server.close();
  }
});
