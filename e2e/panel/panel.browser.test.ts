import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { changeSettings, goesByHelper } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { FirefoxBrowser } from '../firefox/firefoxBrowser.ts';
import type { TestBrowser } from '../gate/browsers.ts';
import { Ground } from '../gate/ground.ts';
import { html } from '../gate/harness.ts';
import { OTHER_HOST, OWN_HOST, type Site, type Visit } from '../gate/server.ts';
import { harEntries } from './harEntries.ts';
import { inspect } from './inspectedPage.ts';
import { PanelPage } from './openPanel.ts';

const MANY = 1_000;
const NO_TAB = 1_000_000;
/** An update that waits for nobody comes a second after it is told of (extension/src/background/start.ts). */
const UPDATED_MS = 2_500;
const VIEWPORT = { width: 1_280, height: 900 };
const SITE: Site = {
  '/': html('<p>text</p><img src=a.png?w=300&h=200 width=300 height=200><img src=b.jpg width=20 height=20><div style="height:3000px"></div><img src=far.png?w=50&h=50 width=50 height=50>', '<link rel=stylesheet href=style.css><script src=script.js></script>'),
  '/style.css': { type: 'text/css', body: 'p{margin:0}' },
  '/script.js': { type: 'text/javascript', body: 'document.title = "t";' },
};
/** As *Measure this page* keeps it (extension/src/settings/measuredPages.ts). */
const MEASURED = {
  link: { rateBitsPerSecond: 1_500_000, rttMs: 150 }, visit: 'first', isCold: true, pairs: 8, shows: 'sooner', ratio: { value: 0.8, low: 0.75, high: 0.82 }, mediansMs: { with: 2_000, without: 2_500 },
  stock: { firstScreenMs: 2_500, shares: { neededMs: 1_200, wasteMs: 800, idleMs: 500 } },
};
const OBJECTS = ['a.png', 'b.jpg', 'far.png', 'script.js', 'style.css'];

interface HarFile {
  readonly log: {
    readonly version: string;
    readonly pages: readonly { readonly _firstscreen: { readonly firstScreenMs: number | null; readonly neededMs?: number; readonly wasteMs?: number; readonly idleMs?: number } }[];
    readonly entries: readonly { readonly request: { readonly url: string }; readonly _firstscreen: { readonly class: string; readonly helperConnection: number | null } }[];
  };
}

describe('the panel', () => {
  let ground: Ground;
  /** Without a helper. */
  let plain: TestBrowser;
  let helper: OwnNamesHelper;
  let panel: PanelPage | null = null;
  let page: Page | null = null;

  beforeAll(async () => {
    ground = await Ground.make('unpacked');
    plain = await ground.openFirstscreen();
    helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST], [`--extension-id=${ground.installation.extensionId}`]);
  });
  afterEach(async () => {
    expect(panel?.errors ?? []).toEqual([]);
    await panel?.page.close();
    await page?.close();
    [panel, page] = [null, null];
  });
  afterAll(async () => {
    await ground.close();
    await helper.remove();
  });

  async function open(browser: TestBrowser, tabId: number, count = 0): Promise<PanelPage> {
    panel = await PanelPage.open(browser.context, ground.installation.origin, { tabId, entries: harEntries(count, Date.now()) });
    await panel.page.setViewportSize(VIEWPORT);
    return panel;
  }

  async function saved(button: 'save-har' | 'save-json'): Promise<string> {
    if (panel === null) throw new Error('no panel is open');
    const [download] = await Promise.all([panel.page.waitForEvent('download'), panel.page.click(`#${button}`)]);
    return readFile(await download.path(), 'utf8');
  }

  /** A page in a tab of its own, of which the panel is told; loaded once the panel is there. */
  async function load(browser: TestBrowser, visit: Visit): Promise<PanelPage> {
    page = await browser.context.newPage();
    await page.goto(ground.server.visit(SITE).url('/style.css'));
    const worker = await browser.worker();
    const [tabId = NO_TAB] = await worker.evaluate((pattern) => (globalThis as unknown as Tabs).chrome.tabs.query({ url: pattern }).then((tabs) => tabs.flatMap(({ id }) => id ?? [])), `http://${OWN_HOST}/*`);
    const opened = await open(browser, tabId);
    // who is asked to record for it has heard of it by then
    await expect.poll(() => opened.updates()).not.toEqual([]);
    await inspect(page, (entry) => void opened.tell(entry).catch(() => undefined));
    await page.bringToFront();
    await page.goto(visit.url('/'));
    await opened.navigate(visit.url('/'));
    return opened;
  }

  it('shows a thousand requests, each once, in waterfall and table; filters, sorts, and selects in all views', async () => {
    const { page: view } = await open(plain, NO_TAB, MANY);
    await expect.poll(() => panel?.count()).toBe(MANY);
    await expect.poll(() => view.locator('#waterfall').getAttribute('aria-label')).toContain('1000');
    // of a thousand only those that are seen are made
    expect(await view.locator('#requests tbody tr[data-key]').count()).toBeLessThan(60);
    await view.fill('#search', 'jpg objects');
    await expect.poll(() => panel?.count()).toBe(MANY / 4);
    await view.fill('#search', '');
    await view.uncheck('#class-layout');
    await expect.poll(() => panel?.count()).toBeLessThan(MANY);
    await view.check('#class-layout');
    await view.selectOption('#server', 's3.test');
    await expect.poll(() => panel?.count()).toBe(Array.from({ length: MANY }, (_, place) => place).filter((place) => place % 12 === 3).length);
    await view.selectOption('#server', '');
    await view.click('#requests th.bytes button');
    await view.click('#requests th.bytes button');
    expect(await view.locator('#requests th.bytes').getAttribute('aria-sort')).toBe('descending');
    await view.focus('#requests');
    await view.keyboard.press('ArrowDown');
    await expect.poll(() => view.locator('#requests tr[aria-selected="true"]').count()).toBe(1);
    const name = await view.locator('#requests tr[aria-selected="true"] .name').innerText();
    await expect.poll(() => view.locator('#detail h2').innerText()).toBe(name);
    await view.focus('#waterfall');
    await view.keyboard.press('ArrowDown');
    await expect.poll(() => view.locator('#detail h2').innerText()).not.toBe(name);
    await view.keyboard.press('Escape');
    await expect.poll(() => view.locator('#detail h2').count()).toBe(0);
  });

  it('every view draws something', async () => {
    const { page: view } = await open(plain, NO_TAB, MANY);
    await expect.poll(() => panel?.count()).toBe(MANY);
    const isDrawn = (selector: string): Promise<boolean> => view.locator(selector).evaluate((element) => {
      if (!(element instanceof HTMLCanvasElement)) return false;
      const { data } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? { data: [] };
      return data.some((value) => value > 0);
    });
    await expect.poll(() => isDrawn('#waterfall')).toBe(true);
    await view.click('#tab-throughput-head');
    await expect.poll(() => view.locator('#throughput canvas').count()).toBe(1);
    await expect.poll(() => isDrawn('#throughput canvas')).toBe(true);
    await view.keyboard.press('ArrowRight');
    await expect.poll(() => view.locator('#connections tbody tr').count()).toBe(12);
    await view.keyboard.press('ArrowRight');
    await expect.poll(() => view.locator('#help dt').count()).toBeGreaterThan(3);
  });

  it('writes HAR and JSON, and opens both', async () => {
    const dir = temporaryDirectory();
    const { page: view } = await open(plain, NO_TAB, 30);
    await expect.poll(() => panel?.count()).toBe(30);
    for (const button of ['save-har', 'save-json'] as const) {
      const file = path.join(dir, `${button}.json`);
      await writeFile(file, await saved(button));
      await view.fill('#search', 'no such thing');
      await expect.poll(() => panel?.count()).toBe(0);
      await view.fill('#search', '');
      await view.setInputFiles('#file', file);
      await expect.poll(() => view.locator('#opened').isVisible()).toBe(true);
      await expect.poll(() => panel?.count()).toBe(30);
      await view.click('#live');
      await expect.poll(() => view.locator('#opened').isVisible()).toBe(false);
    }
    const bad = path.join(dir, 'bad.har');
    await writeFile(bad, '{"log":');
    await view.setInputFiles('#file', bad);
    await expect.poll(() => view.locator('#failed').innerText()).toContain('E_RECORDING');
  });

  it('keeps an update of the extension waiting, which would take it away with what it has recorded', async () => {
    const browser = await ground.openFirstscreen();
    const { page: view } = await open(browser, NO_TAB, 30);
    await expect.poll(() => panel?.count()).toBe(30);
    await (await browser.worker()).evaluate("chrome.runtime.onUpdateAvailable.dispatch({ version: '9' })");
    await new Promise((resolve) => setTimeout(resolve, UPDATED_MS));
    expect(await view.locator('#requests tbody tr[data-key]').count()).toBeGreaterThan(0);
    await view.close();
    await browser.close();
  });

  it('without a helper it shows what the browser tells, and what the page says of its first screen', async () => {
    const visit = ground.server.visit(SITE);
    const { page: view } = await load(plain, visit);
    await expect.poll(() => view.locator('#shares li').count()).toBe(1);
    await expect.poll(() => panel?.count()).toBe(OBJECTS.length + 1);
    expect(await view.locator('#twin-note').innerText()).toContain('Nothing to compare with yet');
    let pages: HarFile['log']['pages'] = [];
    // which page it is the panel may hear after all else
    await expect.poll(async () => {
      const { log } = JSON.parse(await saved('save-har')) as HarFile;
      ({ pages } = log);
      return Object.fromEntries(log.entries.map(({ request, _firstscreen }) => [new URL(request.url).pathname.split('/').at(-1) ?? '', _firstscreen.class] as const));
    }).toEqual({ '': 'layout', 'style.css': 'layout', 'script.js': 'layout', 'a.png': 'inView', 'b.jpg': 'inView', 'far.png': 'other' });
    const { firstScreenMs, neededMs = NaN, wasteMs = NaN, idleMs = NaN } = pages[0]?._firstscreen ?? { firstScreenMs: null };
    expect(firstScreenMs).toBeGreaterThan(0);
    expect(neededMs + wasteMs + idleMs).toBeCloseTo(firstScreenMs ?? 0, 6);
  });

  it('with a helper each request is there once, on the connection that the helper has written down, and on which its server has got it', async () => {
    const browser = await ground.openFirstscreenWhenFull(helper.script);
    try {
      const visit = ground.server.visit(SITE);
      await changeSettings(browser.context, { connections: true, anyLink: true, measured: [{ ...MEASURED, page: visit.url('/'), atMs: Date.now() }] });
      expect(await goesByHelper(browser.context, ground.server.helpersUrl)).toBe(true);
      const { page: view } = await load(browser, visit);
      // the load, and the one that was measured without help
      await expect.poll(() => view.locator('#shares li').count()).toBe(2);
      expect(await view.locator('#shares').innerText()).toMatch(/Measured without help[^]*2\.50/);
      expect(await view.locator('#twin-note').innerText()).toMatch(/the load in the middle of 8 without Firstscreen, on a link of 1\.5 Mb\/s, round trip 150 ms/);
      await expect.poll(() => panel?.count()).toBe(OBJECTS.length + 1);
      let ofPanel: (readonly [path: string, connection: number | null])[] = [];
      // the browser and the helper tell of each, in any order
      await expect.poll(async () => {
        const { log } = JSON.parse(await saved('save-har')) as HarFile;
        ofPanel = log.entries.map(({ request, _firstscreen }) => [new URL(request.url).pathname, _firstscreen.helperConnection] as const);
        return ofPanel.map(([, connection]) => connection);
      }).not.toContain(null);
      const ofServer = visit.requests.map(({ name, connectedMs }) => [new URL(`http://${name}`).pathname, connectedMs] as const);
      expect(ofPanel.map(([at]) => at.replace(/^\/v\d+/, '')).sort()).toEqual(ofServer.map(([at]) => at).sort());
      // by its number, as the helper has it in its own record
      const ofHelper = async (): Promise<string[]> => (await helper.sent()).filter(([url]) => url.startsWith(visit.url('/'))).map(([url, connection]) => `${new URL(url).pathname} ${connection}`).sort();
      await expect.poll(ofHelper).toEqual(ofPanel.map(([at, connection]) => `${at} ${connection}`).sort());
      // the same requests share a connection, by the helper and by the server
      expect(groupsOf(ofPanel.map(([at, connection]) => [at.replace(/^\/v\d+/, ''), connection]))).toEqual(groupsOf(ofServer));
    } finally {
      await panel?.page.close();
      await page?.close();
      page = null;
      await browser.close();
    }
  });
});

it('Firefox: the panel by itself shows a recording', async () => {
  const browser = await FirefoxBrowser.firstscreen();
  try {
    const file = path.join(temporaryDirectory(), 'load.har');
    await writeFile(file, JSON.stringify({ log: { version: '1.2', entries: harEntries(MANY, Date.now()) } }));
    const view = await browser.openOwnPage('panel.html');
    const input = await view.$('input#file');
    await input?.uploadFile(file);
    await view.waitForFunction((rows) => document.querySelector('#requests')?.getAttribute('aria-rowcount') === String(rows), {}, MANY + 1);
    expect(await view.$eval('#opened', (element) => (element as HTMLElement).hidden)).toBe(false);
    expect(await view.$eval('#record', (element) => (element as HTMLElement).hidden)).toBe(true);
    const isDrawn = (element: Element): boolean => element instanceof HTMLCanvasElement && element.getContext('2d')?.getImageData(0, 0, element.width, element.height).data.some((value) => value > 0) === true;
    expect(await view.$eval('#waterfall', isDrawn)).toBe(true);
  } finally {
    await browser.close();
  }
});

/** What the tests use of the extension's API. */
interface Tabs {
  readonly chrome: { readonly tabs: { query(query: { url: string }): Promise<{ readonly id?: number }[]> } };
}

function groupsOf(all: readonly (readonly [path: string, connection: number | null])[]): string[] {
  return [...Map.groupBy(all, ([, connection]) => connection).values()].map((group) => group.map(([at]) => at).sort().join(' ')).sort();
}
