import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { INSTALLATIONS, type Chrome, type TestBrowser } from './browsers.ts';
import { fakeHelper, realHelper, type Misbehaviour } from './fakeHelper.ts';
import { Bench, countOf, expectAlike, html, restOf } from './harness.ts';
import { OTHER_HOST, type Site, type SiteFile, type Visit } from './server.ts';

/** Large images, so that the window is full and most are held while the first are on the way. */
const MANY: Site = {
  '/': html(`${Array.from({ length: 20 }, (_, i) => `<p><img id=i${i} src="n${i}.png" width=700 height=250></p>`).join('')}<div style="width:30px;height:30px;background:url(bg.png)"></div><script>const d = new Image(); d.src = 'new.png'; document.body.append(d)</script>`),
};
const nothing = (): Promise<void> => Promise.resolve();
const IMAGE = /\.png/;
/** The page has asked for all that it may by then; the rest is held. */
const SENT_MS = 500;

/** One empty page. */
const PDF: SiteFile = {
  type: 'application/pdf',
  body: '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
};

describe.each(INSTALLATIONS)('%s', (installation) => {
  /** What has no gate holds nothing, and only its own end can harm a page. */
  const describeHolding = (name: string, tests: () => void): void => {
    if (installation === 'managed') describe(name, tests);
  };
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start(installation);
  });
  afterAll(() => bench.close());

  async function heldNow(visit: Visit): Promise<void> {
    await expect.poll(() => visit.requests.filter(({ name }) => IMAGE.test(name)).length).toBeGreaterThan(0);
  }

  /** Loads the page while the server holds images back, does `fault` in the middle, lets the server go on, and expects what stock shows. */
  async function expectAllDespite(browser: TestBrowser, fault: (visit: Visit) => Promise<void>, site = MANY): Promise<void> {
    const options = (middle: (visit: Visit) => Promise<void>) => ({
      prepare: (visit: Visit) => visit.hold(IMAGE),
      drive: async (_: unknown, visit: Visit) => {
        await heldNow(visit);
        await middle(visit);
        visit.letGo();
      },
    });
    expectAlike(await bench.observeBoth(site, options(nothing), browser, options(fault)));
  }

  describeHolding('a helper that fails', () => {
    const open: TestBrowser[] = [];
    const launch = async (helper: string): Promise<TestBrowser> => {
      const browser = await bench.openFirstscreen(helper);
      open.push(browser);
      return browser;
    };
    afterEach(async () => {
      for (const browser of open.splice(0)) await browser.close();
    });

    it('is not installed', () => expectAllDespite(bench.firstscreen, nothing));

    it('is killed while objects are held', async () => {
      const pidFile = path.join(temporaryDirectory(), 'pid');
      const browser = await launch(realHelper(pidFile, bench.installation.extensionId));
      let pid = 0;
      await expect.poll(async () => (pid = Number(await readFile(pidFile, 'utf8').catch(() => '0')))).toBeGreaterThan(0);
      await expectAllDespite(browser, () => {
        process.kill(pid, 'SIGKILL');
        return nothing();
      });
    });

    it.each<Misbehaviour>(['silent', 'junk', 'badSchema', 'huge', 'dies', 'error'])('answers badly: %s', async (misbehaviour) => {
      await expectAllDespite(await launch(fakeHelper(misbehaviour)), nothing);
    });
  });

  describe('an extension that goes away', () => {
    let browser: TestBrowser;
    afterEach(() => browser.close());
    const start = async (): Promise<TestBrowser> => (browser = await bench.openFirstscreen());
    /** What is just being sent when an extension that watches requests goes away may get no answer of Chromium 156 (10 of 245 runs without this wait). */
    const sent = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SENT_MS));
    const inWorker = async (act: (chrome: Chrome) => void): Promise<void> => {
      const worker = await browser.worker();
      // the worker may be gone before it has answered
      await worker.evaluate(`void (${act.toString()})(globalThis)`).catch(() => undefined);
    };

    it('is updated during a load', async () => {
      await start();
      await expectAllDespite(browser, async () => {
        const old = await browser.worker();
        const ended = new Promise((resolve) => old.once('close', resolve));
        await inWorker(({ chrome }) => chrome.runtime.onUpdateAvailable.dispatch({ version: '9' }));
        await ended;
      });
    });

    it('is switched off during a load', async () => {
      await start();
      await expectAllDespite(browser, () => inWorker(({ chrome }) => void chrome.storage.local.set({ enabled: false })));
    });

    // the user can neither reload nor disable what a policy installed
    if (installation === 'unpacked') {
      it('is reloaded during a load', async () => {
        await start();
        await expectAllDespite(browser, async () => {
          await sent();
          return inWorker(({ chrome }) => chrome.runtime.reload());
        });
      });

      it('is disabled during a load', async () => {
        await start();
        const settings = await browser.context.newPage();
        await settings.goto('chrome://extensions');
        await expectAllDespite(browser, async () => {
          await sent();
          await settings.evaluate(`chrome.developerPrivate.updateExtensionConfiguration
            ? chrome.management.setEnabled('fepfabdflbifdndnhdbidecgakckoigg', false)
            : Promise.reject(new Error('no management API'))`);
        });
      });
    }

    it('loses its service worker during a load', async () => {
      await start();
      const page = await browser.context.newPage();
      const session = await browser.context.newCDPSession(page);
      await session.send('ServiceWorker.enable');
      const stopped = new Promise<void>((resolve) => {
        session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
          if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) resolve();
        });
      });
      await page.goto('chrome://serviceworker-internals');
      await expectAllDespite(browser, async () => {
        // the page keeps its buttons in a shadow tree, where only a locator finds them
        await page.getByText('Stop', { exact: true }).click();
        await stopped;
      });
    });
  });

  describeHolding('a page that goes another way', () => {
    it('is left while objects are held: nothing of it is asked for any more, and the next page is whole', async () => {
      const next = html('<img id=a src=next.png width=50 height=50>');
      const site: Site = { ...MANY, '/next': next };
      const options = {
        prepare: (visit: Visit) => visit.hold(/n\d+\.png/),
        drive: async (page: Page, visit: Visit) => {
          await heldNow(visit);
          await page.goto(visit.url('/next', OTHER_HOST), { waitUntil: 'commit' });
          visit.letGo();
        },
      };
      const observed = bench.observe(bench.stock, site, options);
      const [stock, firstscreen] = await Promise.all([observed, bench.observe(bench.firstscreen, site, options, observed.then(({ frames }) => ({ frames })))]);
      expect(firstscreen.frames).toEqual(stock.frames);
      expect(firstscreen.picture.equals(stock.picture)).toBe(true);
      expect(Object.values(firstscreen.requests).every((count) => count === 1)).toBe(true);
    });

    it('loses its server in the middle: each image fails once, and the load event fires', async () => {
      const page = await bench.firstscreen.context.newPage();
      const visit = bench.server.visit(MANY);
      visit.hold(IMAGE);
      await page.goto(visit.url('/'), { waitUntil: 'commit' });
      await heldNow(visit);
      visit.goOffline();
      visit.letGo();
      await expect.poll(async () => (await restOf(page, visit))[0]?.loads).toBe(1);
      const [frame] = await restOf(page, visit);
      for (let i = 0; i < 20; i += 1) expect(frame?.events[`i${i}`]).toEqual(['error']);
      expect(Object.entries(countOf(visit)).filter(([, count]) => count > 1)).toEqual([]);
      await page.close();
    });

    it('takes its root element away for a while', async () => {
      const images = Array.from({ length: 20 }, (_, i) => `<p><img id=i${i} src="n${i}.png" width=700 height=250></p>`).join('');
      const away = "const root = document.documentElement; root.remove(); setTimeout(() => { document.append(root); root.dataset.isBack = '' }, 1000)";
      await bench.expectSame({ '/': html(`${images}<script>setTimeout(() => { ${away} }, 300)</script>`) }, {
        prepare: (visit) => visit.hold(IMAGE),
        // what ends while it is away is told to nobody: that would be chance
        drive: async (page, visit) => {
          await page.waitForFunction("document.documentElement?.dataset.isBack === ''");
          visit.letGo();
        },
      });
    });

    it('has a service worker of its own: first visit, and a controlled second one', async () => {
      const site: Site = {
        '/': html(`<img id=a src=a.png><img id=b src=OTHER/b.png><div style="height:3000px"></div><img id=c src=c.png><div style="width:9px;height:9px;background:url(d.png)"></div>
          <script>navigator.serviceWorker.register('sw.js')</script>`),
        '/sw.js': { type: 'text/javascript', body: `self.addEventListener('install', () => self.skipWaiting()); self.addEventListener('activate', (e) => e.waitUntil(clients.claim())); self.addEventListener('fetch', (e) => e.respondWith(fetch(e.request)))` },
      };
      await bench.expectSame(site, {
        namedBySheets: true,
        drive: async (page) => {
          await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
          await page.waitForLoadState('networkidle');
          await page.reload({ waitUntil: 'commit' });
        },
      });
    });
  });

  describeHolding('documents without a content script', () => {
    it('a plain SVG document with images', () =>
      bench.expectSame({ '/': { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><image href="a.png" width="50" height="50"/><image href="b.png" x="60" width="50" height="50"/></svg>' } }));

    it('an XHTML document', () =>
      bench.expectSame({ '/': { type: 'application/xhtml+xml', body: '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><img id="a" src="a.png"/><p style="width:20px;height:20px;background:url(b.png)"/></body></html>' } }));

    it('XML with a style sheet of XSLT', () =>
      bench.expectSame({
        '/': { type: 'text/xml', body: '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="s.xsl"?><page/>' },
        '/s.xsl': { type: 'text/xsl', body: '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html"/><xsl:template match="/"><html><body><img id="a" src="a.png"/><img src="b.png"/></body></html></xsl:template></xsl:stylesheet>' },
      }));

    it('XML with a style sheet of CSS', () =>
      bench.expectSame({
        '/': { type: 'text/xml', body: '<?xml version="1.0"?><?xml-stylesheet type="text/css" href="s.css"?><page>text</page>' },
        '/s.css': { type: 'text/css', body: 'page{display:block;width:90px;height:90px;background:url(a.png)}' },
      }, { namedBySheets: true }));

    it('a PDF opened by itself, and one within a page that has images', async () => {
      // the page, the browser's viewer in it, and the document in that, which come without a request
      const shown = (page: Page): Promise<void> => expect.poll(() => page.frames().length).toBe(3);
      await bench.expectSame({ '/': PDF }, { drive: shown });
      await bench.expectSame({ '/': html(`<embed src="OWN/doc.pdf" type="application/pdf" width=300 height=200><img id=a src=a.png><img id=b src=b.png>`), '/doc.pdf': PDF }, { drive: shown });
    });

    it('an image, and a text, opened by themselves', async () => {
      await bench.expectSame({}, { path: '/a.png' });
      await bench.expectSame({ '/': { type: 'text/plain', body: 'text' } });
    });
  });
});
