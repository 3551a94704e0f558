import { beforeEach, expect, it, vi } from 'vitest';
import type { Settings } from '../../settings/settings.ts';
import { Sites } from '../../settings/sites.ts';
import { ColdStart } from './coldStart.ts';
import { PageTimings } from './pageTimings.ts';

const TAB = 1;
const SETTINGS: Settings = { enabled: true, remember: true, connections: true, nextPage: false, compareVisits: false, dataSaver: false, relay: false };

let isPausing: boolean;
let settled: PromiseWithResolvers<void>;
let timings: PageTimings;
beforeEach(() => {
  isPausing = false;
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('chrome', {
    tabs: { get: (id: number) => Promise.resolve({ id, url: 'https://a.test/', incognito: false }) },
    permissions: { contains: () => Promise.resolve(true) },
  });
  settled = Promise.withResolvers();
  timings = new PageTimings({
    settled: () => settled.promise,
    apply: () => Promise.resolve(true),
    helps: () => true,
    // the tab shows one that is loaded without it once
    isOff: () => true,
    isPausing: () => isPausing,
    wasPosted: () => false,
    hasMemory: () => true,
    link: () => null,
    coldStart: new ColdStart({ needsHelper: false, close: () => Promise.resolve() }, { can: () => true, ask: () => Promise.resolve(null) }, () => false),
  });
});

/** A worker that is woken by the page that measures is asked before it has read them. */
it('a page is not said to be off while the settings are being read', async () => {
  const look = timings.look(TAB);
  // everything else is known
  await new Promise(setImmediate);
  timings.settingsAre(SETTINGS, Sites.NONE);
  settled.resolve();
  expect(await look).toEqual({ host: 'a.test', refusal: null, isMetered: false, isHelped: true, canBeginCold: true, hasMemory: true });
});

it.each([
  [true, 'paused'],
  [false, null],
])('a page that is loaded without Firstscreen once is not said to be of a site that is off; with all tabs without it (%s): %s', async (areAll, refusal) => {
  isPausing = areAll;
  timings.settingsAre(SETTINGS, Sites.NONE);
  settled.resolve();
  expect(await timings.look(TAB)).toMatchObject({ refusal });
});
