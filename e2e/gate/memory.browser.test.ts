import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTALLATIONS, type Chrome, type TestBrowser } from './browsers.ts';
import { Bench, html, restOf } from './harness.ts';
import type { Site, Visit } from './server.ts';

const HELPER = path.join(import.meta.dirname, '../../dist/helper/firstscreen-helper.mjs');
/** The script puts in what no scanner of the document can find. */
const SITE: Site = {
  '/': html('<p>text</p>', '<script src=slow.js></script>'),
  '/slow.js': {
    type: 'text/javascript',
    body: `document.head.insertAdjacentHTML('beforeend', '<link rel=stylesheet href=late.css>'); addEventListener('DOMContentLoaded', () => document.body.insertAdjacentHTML('afterbegin', '<img src=late.png width=20 height=20><div style="height:5000px"></div><img src=far.png width=20 height=20>'));`,
  },
  '/late.css': { type: 'text/css', body: 'p{color:red}' },
};
/** A page tells a second after its load. */
const LEARN_LIMIT_MS = 6_000;

describe.each(INSTALLATIONS)('%s: what the helper remembers of a page', (kind) => {
  let bench: Bench;
  let state: string;
  let browser: TestBrowser;
  beforeAll(async () => {
    bench = await Bench.start(kind);
    state = await mkdtemp(path.join(tmpdir(), 'firstscreen-state-'));
    browser = await bench.openFirstscreen(`#!/bin/sh\nXDG_STATE_HOME='${state}' exec '${process.execPath}' '${HELPER}' host --extension-id=${bench.installation.extensionId} "$@"\n`);
    const worker = await browser.worker();
    await worker.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ remember: true }));
  });
  afterAll(async () => {
    await browser.close();
    await bench.close();
    await rm(state, { recursive: true });
  });

  it('is asked for from the start of the next visit, and once', async () => {
    const visit = bench.server.visit(SITE);
    // that the page has told is not to be seen, so it is visited until it is known
    await expect.poll(() => isAskedForEarly(visit, /late\.css/), { timeout: LEARN_LIMIT_MS * 3, interval: 100 }).toBe(true);
    const asked = await load(visit);
    const early = asked.early.map((name) => name.replace(/^.*\//, '')).sort();
    expect(early.filter((name) => /late|far/.test(name))).toEqual(kind === 'managed' ? ['late.css', 'late.png'] : ['late.css']);
    for (const name of ['late.css', 'late.png', 'far.png', 'slow.js']) expect(asked.all.filter((each) => each.endsWith(name)), name).toHaveLength(1);
  });

  async function isAskedForEarly(visit: Visit, what: RegExp): Promise<boolean> {
    return (await load(visit)).early.some((name) => what.test(name));
  }

  /** @returns what is asked for while the script is waited for, and all that a load asks for */
  async function load(visit: Visit): Promise<{ early: readonly string[]; all: readonly string[] }> {
    const before = visit.requests.length;
    const since = (): string[] => visit.requests.slice(before).map(({ name }) => name);
    visit.hold(/slow/);
    const page = await browser.context.newPage();
    try {
      await page.goto(visit.url('/'), { waitUntil: 'commit' });
      await new Promise((resolve) => setTimeout(resolve, 600));
      const early = since();
      visit.letGo();
      await restOf(page, visit);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return { early, all: since() };
    } finally {
      await page.close();
    }
  }
});
