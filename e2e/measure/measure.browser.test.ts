import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { BENCH_HELPER, HOSTING, LINK, ROOT } from '../browsers/executables.ts';
import { FirefoxBrowser } from '../firefox/firefoxBrowser.ts';
import { Ground } from '../gate/ground.ts';
import { html } from '../gate/harness.ts';
import { OWN_HOST, type Site, type Visit } from '../gate/server.ts';
import { MeasurementExport } from './measurementExport.ts';
import { MeasuringPage, type ScriptedPage } from './measuringPage.ts';

const DEMO_PAGE = join(ROOT, 'build/pages/news-short.warc.gz');
const PARTS = [DEMO_PAGE, LINK, HOSTING, BENCH_HELPER];
const FONT = join(ROOT, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
/** For connections that are closed: the browser's requests go to the servers directly. */
const helperFor = (extensionId: string): string => `#!/bin/sh\nexec '${process.execPath}' '${BENCH_HELPER}' host --extension-id=${extensionId} "$@"\n`;
const RESULT_LIMIT_MS = 120_000;
const LINK_LIMIT_MS = 600_000;
/** An image in view takes so long, and what the first screen waits for at last: what a style sheet of another server names. */
const [NEAR_MS, LAST_MS] = [500, 900];
/** A load takes seconds, so each browser has one of the two. */
const LAST_RULES = {
  Chromium: `p { background: url(ground.png?delay=${LAST_MS}) }`,
  Firefox: `@font-face { font-family: face; src: url(face.woff2?delay=${LAST_MS}) }`,
} as const;
/** What is off screen, and a sheet for print. */
const UNNEEDED_MS = 2_500;
const siteWith = (rules: string): Site => ({
  '/print.css': { body: 'p { color: black }', type: 'text/css' },
  '/face.css': { body: rules, type: 'text/css' },
  '/face.woff2': { body: readFileSync(FONT), type: 'font/woff2', headers: { 'Access-Control-Allow-Origin': '*' } },
  '/': html(`<link rel="stylesheet" href="print.css?delay=${UNNEEDED_MS}" media="print"><link rel="stylesheet" href="OTHER/face.css"><p style="font-family: face">text</p><img src="near.png?delay=${NEAR_MS}&maxage" width=100 height=100><div style="height:4000px"></div><img src="far.png?delay=${UNNEEDED_MS}&maxage" width=100 height=100>`),
  '/scrolls.html': html('<p>text</p><img src="near.png?delay=300" width=100 height=100><div style="height:4000px"></div><script>scrollTo(0, 50)</script>'),
});

/** A browser with the extension, one page of a site, and the measuring page of it. */
interface Measured {
  readonly measuring: MeasuringPage;
  readonly own: ScriptedPage;
  close(): Promise<void>;
}

type OpenMeasured = (url: string) => Promise<Measured>;

describe.each(['Chromium', 'Firefox'] as const)('"Measure this page" in %s', (name) => {
  let ground: Ground;
  let visit: Visit;
  let measured: Measured;

  const inChromium: OpenMeasured = async (url) => {
    const browser = await ground.openFirstscreen(helperFor(ground.installation.extensionId));
    const page = await browser.context.newPage();
    await page.goto(url);
    const own = await browser.openOwnPage('measure.html');
    await own.goto(ground.installation.origin + (await MeasuringPage.pathFor(own, url)));
    return { measuring: new MeasuringPage(own), own, close: () => browser.close() };
  };
  const inFirefox: OpenMeasured = async (url) => {
    const browser = await FirefoxBrowser.firstscreen();
    const page = await browser.newPage();
    await page.goto(url);
    const first = await browser.openOwnPage('measure.html');
    const own = await browser.openOwnPage(await MeasuringPage.pathFor(first, url));
    return { measuring: new MeasuringPage(own), own, close: () => browser.close() };
  };
  const open = name === 'Chromium' ? inChromium : inFirefox;

  beforeAll(async () => {
    ground = await Ground.make();
  });
  afterAll(() => ground.close());
  beforeEach(() => {
    visit = ground.server.visit(siteWith(LAST_RULES[name]));
  });
  afterEach(() => measured.close());

  const kept = (): Promise<unknown> => measured.own.evaluate('Promise.all([chrome.storage.local.get(null), chrome.tabs.query({}).then((tabs) => tabs.length)])');
  /** Of each load of the page, whether its document came over a connection that no earlier request had. */
  const newConnections = (): boolean[] =>
    visit.requests.flatMap(({ name: of, connectedMs }, place) => (of === `${OWN_HOST}/` ? [visit.requests.slice(0, place).every((before) => before.connectedMs !== connectedMs)] : []));
  const countOf = (path: string): number => visit.requests.filter((request) => request.name.startsWith(`${OWN_HOST}/${path}`)).length;

  it('loads it with and without Firstscreen, past the cache, in a tab of its own, and leaves all as it was', async () => {
    measured = await open(visit.url('/'));
    const before = await kept();
    await measured.measuring.begin(1);
    const result = await measured.measuring.result(RESULT_LIMIT_MS);
    expect(result).toMatchObject({ ended: 'complete', pairs: 1, pairsCounted: 1, shows: 'tooFew', url: visit.url('/'), isCold: true });
    // the load that counts for nothing, and both of the pair
    expect(newConnections().slice(-3)).toEqual([true, true, true]);
    expect(result.counted.map(({ side }) => side).toSorted()).toEqual(['with', 'without']);
    expect(result.dropped).toEqual([{ pair: 0, side: 'with', load: 1, reason: 'first' }]);
    for (const { isrtMs, fcpMs } of result.counted) {
      expect(isrtMs).toBeGreaterThanOrEqual(LAST_MS);
      expect(isrtMs).toBeLessThan(UNNEEDED_MS);
      expect(fcpMs).toBeLessThanOrEqual(isrtMs);
    }
    // the user's own load, and three past the cache; the tab's opening may have it from there
    expect(countOf('near.png')).toBeGreaterThanOrEqual(4);
    await expect.poll(kept).toEqual(before);
    expect(await measured.measuring.textOf('verdict')).toContain('Too few pairs');
  });

  it('ends when its user cancels, and when the measured tab is closed', async () => {
    measured = await open(visit.url('/'));
    const before = await kept();
    await measured.measuring.begin(5);
    await measured.measuring.press('cancel');
    expect((await measured.measuring.result(RESULT_LIMIT_MS)).ended).toBe('cancelled');
    await expect.poll(kept).toEqual(before);
    await measured.measuring.begin(5);
    await measured.measuring.until("/^Load 1/.test(document.getElementById('phase').textContent)", RESULT_LIMIT_MS);
    await measured.own.evaluate("chrome.storage.session.get('measurement').then(({ measurement }) => chrome.tabs.remove(measurement.tabId))");
    expect((await measured.measuring.result(RESULT_LIMIT_MS)).ended).toBe('tabClosed');
    await expect.poll(kept).toEqual(before);
  });

  it('says so when no load of a page counts', async () => {
    measured = await open(visit.url('/scrolls.html'));
    await measured.measuring.begin(5);
    const result = await measured.measuring.result(RESULT_LIMIT_MS);
    expect(result).toMatchObject({ ended: 'unmeasurable', counted: [], ratio: null });
    expect(new Set(result.dropped.map(({ reason }) => reason))).toEqual(new Set(['scrolled']));
  });
});

const missing = PARTS.filter((part) => !existsSync(part));

describe.skipIf(missing.length > 0)(`over the emulated link (needs ${PARTS.join(', ')})`, () => {
  it('Chromium measures a page as its user would', async () => {
    const directory = temporaryDirectory();
    const out = join(directory, 'out');
    const argv = [join(import.meta.dirname, 'cli.ts'), '--pages', DEMO_PAGE, '--pairs', '1', '--protocol', 'http1', '--out', out];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env: { ...process.env, HOME: directory } });
    const { pages } = v.parse(v.object({ pages: v.array(v.object({ page: v.string(), measured: MeasurementExport })) }), JSON.parse(await readFile(join(out, 'results.json'), 'utf8')));
    const [page] = pages;
    expect(page?.page).toBe('news-short');
    expect(page?.measured).toMatchObject({ ended: 'complete', pairsCounted: 1 });
    // 3G: no first screen is there in less than a handshake and a question take
    for (const { isrtMs } of page?.measured.counted ?? []) expect(isrtMs).toBeGreaterThan(300);
    expect(stdout).toContain('news-short: ');
  }, LINK_LIMIT_MS);
});
