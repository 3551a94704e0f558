import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isWhole } from '../gate/arrival.ts';
import type { Chrome } from '../gate/browsers.ts';
import { html } from '../gate/harness.ts';
import { readFrame, type FrameView } from '../gate/pageRecorder.ts';
import { OTHER_HOST, OWN_HOST, TestServer, type Site, type Visit } from '../gate/server.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';
import { until } from '../browsers/until.ts';

/** Known to the helper and not to the browser: what loads from there came by the helper. OTHER_HOST is the other way round. */
const HELPER_HOST = 'helper.test';
const QUIET_MS = 900;

const SITE: Site = {
  '/': {
    ...html('<p>text</p><img src=a.png><img src=b.jpg><div style="height:3000px"></div><img src=far.png><iframe src=frame.html></iframe>', '<link rel=stylesheet href=style.css><script src=script.js></script>'),
    // of one that a script sets the helper hears too late: what it has foreseen by then is asked for again
    headers: { 'set-cookie': 'mine=1' },
  },
  '/style.css': { type: 'text/css', body: 'p{background:url(background.png)}' },
  '/script.js': { type: 'text/javascript', body: 'fetch("data.json").then((answer) => answer.text()).then((text) => document.title = text);' },
  '/data.json': { type: 'application/json', body: '{"a":1}' },
  '/frame.html': html('<img src=in-frame.png>'),
};
const TITLE = '{"a":1}';

const FAR_COUNT = 40;
/** Enough photographs below the first screen that some are held while the one in view is not there. */
const PHOTOGRAPHS: Site = {
  '/': html(`<img src="near.jpg" width=100 height=100><div style="height:3000px"></div>${Array.from({ length: FAR_COUNT }, (_, i) => `<p><img src="far${i}.jpg?delay=200" width=400 height=300>`).join('')}`),
};

describe('Firefox: on the connections of the helper', () => {
  let server: TestServer;
  let helper: OwnNamesHelper;
  let browser: FirefoxBrowser;
  let popup: Page;
  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    helper = await OwnNamesHelper.make([OWN_HOST, HELPER_HOST]);
  });
  afterEach(async () => {
    await browser.close();
    await helper.remove();
  });

  async function openOnHelper(): Promise<void> {
    // nobody could answer Firefox's question for consent
    browser = await FirefoxBrowser.firstscreen({ helper: helper.script, preferences: { 'extensions.webextOptionalPermissionPrompts': false } });
    popup = await browser.openPopup();
    // loopback is a fast link
    await popup.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ anyLink: true }));
    await popup.waitForSelector('#connections[aria-disabled=false]');
    await popup.click('#connections');
    await noted(/^In use/);
  }

  /** Waits until the popup says so of the connections. */
  async function noted(pattern: RegExp): Promise<void> {
    await until(async () => pattern.test(await popup.evaluate(() => document.getElementById('connections-note')?.textContent ?? '')));
  }

  it('a page asks for the same with the same, looks the same, and is not told', async () => {
    browser = await FirefoxBrowser.stock();
    const stock = await look();
    await browser.close();
    await openOnHelper();
    expect(await look()).toEqual(stock);
    await popup.click('#connections');
    await noted(/^$/);
    expect(await look(), 'and when it is not wanted any more').toEqual(stock);
  });

  it('requests do go by the helper, those that the gate has held too; a host that it does not know is left to the browser', async () => {
    await openOnHelper();
    const visit = server.visit(PHOTOGRAPHS);
    visit.hold(/near/);
    const page = await browser.newPage();
    await page.goto(visit.url('/', HELPER_HOST), { waitUntil: 'domcontentloaded' });
    await until(() => visit.requests.some(({ name }) => name.includes('near')));
    await sleep(QUIET_MS);
    expect(visit.requests.length, 'something is held').toBeLessThan(FAR_COUNT);
    visit.letGo();
    await until(() => page.evaluate(isWhole));
    expect(namesOf(visit)).toHaveLength(FAR_COUNT + 2);

    const other = server.visit({ '/': html('<img src=a.png>') });
    await page.goto(other.url('/', OTHER_HOST));
    await until(() => page.evaluate(isWhole));
    expect(namesOf(other)).toEqual([`${OTHER_HOST}/`, `${OTHER_HOST}/a.png`]);
  });

  it('pages are whole when the helper is killed, before them and in their middle', async () => {
    await openOnHelper();
    const visit = server.visit(SITE);
    visit.hold(/script\.js/);
    const page = await browser.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'domcontentloaded', timeout: 1 }).catch(() => undefined);
    await until(() => visit.requests.some(({ name }) => name.endsWith('script.js')));
    await helper.kill();
    visit.letGo();
    // at once, before the extension has heard of it
    const next = await browser.newPage();
    const later = server.visit(SITE);
    await next.goto(later.url('/'));
    await expectWhole(next);
    await noted(/^Needs the helper/);
    await page.reload();
    await expectWhole(page);
  });

  it('leaves the proxy of the user alone', async () => {
    browser = await FirefoxBrowser.firstscreen({ helper: helper.script, preferences: { 'network.proxy.type': 1, 'network.proxy.http': '127.0.0.1', 'network.proxy.http_port': server.port } });
    popup = await browser.openPopup();
    await noted(/^Not with the proxy/);
    expect(await popup.evaluate(() => document.getElementById('connections')?.ariaDisabled)).toBe('true');
  });

  /** Everything that there is to see of a visit, by page and server. */
  async function look(): Promise<{ requests: unknown; view: FrameView; title: string }> {
    const visit = server.visit(SITE);
    const page = await browser.newPage();
    await page.goto(visit.url('/'));
    await until(async () => (await page.title()) === TITLE && (await page.evaluate(isWhole)));
    await sleep(QUIET_MS);
    // an image's priority tells whether it was laid out already
    const requests = visit.requests.map(({ name, headers }) => ({ name, ...headers, referer: headers.referer?.replace(/\/v\d+/, ''), connection: undefined, priority: undefined }));
    const seen = { requests: requests.sort((a, b) => a.name.localeCompare(b.name)), view: await page.evaluate(readFrame), title: await page.title() };
    await page.close();
    return seen;
  }
});

function namesOf(visit: Visit): string[] {
  return visit.requests.map(({ name }) => name).sort();
}

async function expectWhole(page: Page): Promise<void> {
  await until(async () => (await page.title()) === TITLE && (await page.evaluate(isWhole)));
}
