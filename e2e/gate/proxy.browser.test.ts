import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import type { Chrome, TestBrowser } from './browsers.ts';
import { FAST_SITE } from './fastSite.ts';
import { Bench, countOf, expectAlike, html, restOf } from './harness.ts';
import { OTHER_HOST, OWN_HOST, type Site, type Visit } from './server.ts';

const READY_LIMIT_MS = 8_000;
const SITE: Site = {
  '/': html('<p>text</p><img src=a.png><img src=b.jpg><div style="height:3000px"></div><img src=far.png><iframe src=frame.html></iframe>', '<link rel=stylesheet href=style.css><script src=script.js></script>'),
  '/style.css': { type: 'text/css', body: 'p{background:url(background.png)}' },
  '/script.js': { type: 'text/javascript', body: 'fetch("data.json").then((answer) => answer.text()).then((text) => document.title = text);' },
  '/data.json': { type: 'application/json', body: '{"a":1}' },
  '/frame.html': html('<img src=in-frame.png>'),
};

/** More than 32, which is Firefox's limit for one proxy and was thought to be Chromium's (docs/architecture.md). */
const STREAM_HOSTS = Array.from({ length: 40 }, (_, n) => `stream${n}.example`);
/** No page is being loaded for so long when the extension judges a link between pages (payoff.ts). */
const BETWEEN_PAGES_MS = 2_500;

/** The browser's requests through the helper: pages are as they are without. Names are known to the helper by a hosts file that it alone sees. The hostile bed has the same beside a gate. */
describe('without a gate, on the connections of the helper', () => {
  let bench: Bench;
  let helper: OwnNamesHelper;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await Bench.start('unpacked');
    helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST, ...STREAM_HOSTS], [`--extension-id=${bench.installation.extensionId}`]);
    browser = await open();
  });
  afterAll(async () => {
    await browser.close();
    await bench.close();
    await helper.remove();
  });

  async function open(): Promise<TestBrowser> {
    const opened = await bench.openFirstscreenWhenFull(helper.script);
    await set(opened, true);
    return opened;
  }

  /** Switches the helper's connections, and waits until the browser goes where it says. Loopback is a fast link. */
  async function set(opened: TestBrowser, connections: boolean, anyLink = true): Promise<void> {
    const worker = await opened.worker();
    await worker.evaluate((settings) => (globalThis as unknown as Chrome).chrome.storage.local.set(settings), { connections, anyLink });
    // not only in tests
    await vi.waitUntil(async () => (await isProxied(opened)) === connections, { timeout: READY_LIMIT_MS });
  }

  async function isProxied(opened: TestBrowser): Promise<boolean> {
    const worker = await opened.worker();
    return worker.evaluate(() => (globalThis as unknown as Chrome).chrome.proxy.settings.get({}).then(({ levelOfControl }) => levelOfControl === 'controlled_by_this_extension'));
  }

  it('a page asks for the same, looks the same, and is not told', async () => {
    const both = await bench.observeBoth(SITE, {}, browser);
    expectAlike(both);
    expect(both.firstscreen.modes).toEqual(both.stock.modes);
  });

  it('servers see what the browser sends, and nothing of us', async () => {
    const headersOf = async (of: TestBrowser): Promise<Record<string, unknown>> => {
      const visit = bench.server.visit(SITE);
      await visitPage(of, visit);
      // whether a visitor has touched an earlier page is nothing of ours
      return Object.fromEntries(visit.requests.map(({ name, headers }) => [name, { ...headers, referer: headers.referer?.replace(/\/v\d+/, ''), connection: undefined, 'sec-fetch-user': undefined }]));
    };
    expect(await headersOf(browser)).toEqual(await headersOf(bench.stock));
  });

  it('a fast link is left to the browser, and no page is fetched twice for it', async () => {
    // as it ships: over a fast link it foresees nothing
    const shipped = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST], [`--extension-id=${bench.installation.extensionId}`], []);
    const fast = await bench.openFirstscreenWhenFull(shipped.script);
    try {
      await set(fast, true, false);
      expectAlike(await bench.observeBoth(SITE, {}, fast));
      // at the first handshake, but on a machine that is so busy that it takes as long as over a slow link: then by what has come
      await expect.poll(async () => {
        await visitPage(fast, bench.server.visit(FAST_SITE));
        return isProxied(fast);
      }, { interval: BETWEEN_PAGES_MS }).toBe(false);
    } finally {
      await fast.close();
      await shipped.remove();
    }
  });

  it('the page gets what it would have when the helper is killed before, and goes on without', async () => {
    const victim = await open();
    try {
      await helper.kill();
      await expect.poll(() => isProxied(victim), { timeout: READY_LIMIT_MS }).toBe(false);
      const visit = bench.server.visit(SITE);
      await visitPage(victim, visit);
      expect(countOf(visit)).toEqual((await bench.observe(bench.stock, SITE)).requests);
    } finally {
      await victim.close();
    }
  });

  it('a page whose helper is killed in the middle gets what it asks for afterwards', async () => {
    const victim = await open();
    const visit = bench.server.visit(SITE);
    visit.hold(/script\.js/);
    const page = await victim.context.newPage();
    try {
      await page.goto(visit.url('/'), { waitUntil: 'commit' });
      await expect.poll(() => visit.requests.some(({ name }) => name.endsWith('script.js'))).toBe(true);
      await helper.kill();
      visit.letGo();
      await expect.poll(() => isProxied(victim), { timeout: READY_LIMIT_MS }).toBe(false);
      await page.reload();
      await restOf(page, visit);
      expect(await page.title()).toBe('{"a":1}');
      expect(await page.evaluate(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0))).toBe(true);
    } finally {
      await page.close();
      await victim.close();
    }
  });

  it('a page loads beside another whose many streams never end', async () => {
    const waiting = bench.server.visit({ '/': html('') });
    waiting.hold(/news/);
    const background = await browser.context.newPage();
    await background.goto(waiting.url('/'));
    await background.evaluate((urls) => void urls.map((url) => fetch(url, { mode: 'no-cors' }).catch(() => undefined)), STREAM_HOSTS.map((host) => waiting.url('/news', host)));
    await expect.poll(() => waiting.requests.filter(({ name }) => name.endsWith('/news')).length).toBe(STREAM_HOSTS.length);
    await visitPage(browser, bench.server.visit(SITE));
    waiting.letGo();
    await background.close();
  });

  it('is taken back when it is not wanted any more, and a page under way is whole', async () => {
    const visit = bench.server.visit(SITE);
    visit.hold(/a\.png/);
    const page = await browser.context.newPage();
    try {
      await page.goto(visit.url('/'), { waitUntil: 'commit' });
      await expect.poll(() => visit.requests.some(({ name }) => name.endsWith('a.png'))).toBe(true);
      await set(browser, false);
      visit.letGo();
      await restOf(page, visit);
      // what the helper had foreseen, and the browser had not asked for, is asked for by the browser itself
      expect(Object.keys(countOf(visit))).toEqual(Object.keys((await bench.observe(bench.stock, SITE)).requests));
      expect(await page.evaluate(() => [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0))).toBe(true);
    } finally {
      await page.close();
      await set(browser, true);
    }
  });

  it('is taken back with the access to websites, without which nobody could answer the helper, and is there again with it', async () => {
    const settings = await browser.context.newPage();
    const allow = (hostAccess: string): Promise<unknown> => settings.evaluate(`chrome.developerPrivate.updateExtensionConfiguration({ extensionId: '${bench.installation.extensionId}', hostAccess: '${hostAccess}' })`);
    try {
      await settings.goto('chrome://extensions');
      await allow('ON_CLICK');
      await expect.poll(() => isProxied(browser)).toBe(false);
    } finally {
      await allow('ON_ALL_SITES');
      await settings.close();
      await expect.poll(() => isProxied(browser)).toBe(true);
    }
  });

  it('a host that the helper does not know is asked by the browser itself', async () => {
    const visit = bench.server.visit({ '/': html('<img src=a.png>') });
    const page = await browser.context.newPage();
    try {
      // known to the browser only, by its switch for *.test
      await page.goto(visit.url('/', 'unknown.test'), { waitUntil: 'load' });
      expect(await page.evaluate(() => document.images[0]?.naturalWidth)).toBeGreaterThan(0);
      expect(visit.requests).toHaveLength(2);
    } finally {
      await page.close();
    }
  });

  it('a name that nobody knows shows the error that it would have shown', async () => {
    const errorOf = async (of: TestBrowser): Promise<string> => {
      const page = await of.context.newPage();
      try {
        return await page.goto('http://nowhere.invalid/').then(() => 'loaded', (error: unknown) => /net::\w+/.exec(String(error))?.[0] ?? String(error));
      } finally {
        await page.close();
      }
    };
    expect(await errorOf(browser)).toBe(await errorOf(bench.stock));
  });

  async function visitPage(of: TestBrowser, visit: Visit): Promise<void> {
    const page: Page = await of.context.newPage();
    try {
      await page.goto(visit.url('/'), { waitUntil: 'commit' });
      await restOf(page, visit);
    } finally {
      await page.close();
    }
  }
});
