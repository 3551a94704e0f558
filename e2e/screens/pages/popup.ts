import { NOW_MS, type World } from '../fakeExtension.ts';
import type { ScreenPage, ScreenState } from '../screenPage.ts';
import { GOOD_DRIVER, NO_HELPER, NOT_HERE, SILENT_DRIVER, STATUS } from './status.ts';

const CONNECTIONS = { remember: true, connections: true };
const GATE = { ...STATUS, hasGate: true };
const DAY_MS = 86_400_000;
const DAY = Math.floor(NOW_MS / DAY_MS);
const LINK = { rateBitsPerSecond: 1_430_000, rttMs: 151 };
const visits = (days: readonly number[], isrtMs: number): object[] => days.map((ago) => ({ isrtMs, day: DAY - ago, link: LINK }));
const HISTORY = [{ host: 'news.example', with: visits([9, 8, 5, 5, 4, 2, 1, 0], 2_410), without: visits([6, 3], 2_980) }];
/** A page that came, and was measured, on the link of now. */
const MEASURED: Partial<World> = {
  session: { 'firstScreen 1': { url: 'https://news.example/world', isrtMs: 2_340, side: 'with' } },
  storage: {
    history: HISTORY,
    measured: [{ page: 'https://news.example/world', atMs: NOW_MS - 3 * DAY_MS, link: LINK, visit: 'first', isCold: true, pairs: 8, shows: 'sooner', ratio: { value: 0.81, low: 0.76, high: 0.86 }, mediansMs: { with: 2_360, without: 2_910 }, stock: null }],
  },
};

export const POPUP: ScreenPage = {
  name: 'popup',
  width: 360,
  height: 'whole',
  states: [
    state('gate', 'Images held: 14.', { ...GATE, held: 14, released: 9, inView: 6 }),
    state('data-saver', 'Left until you scroll to them: 20.', { ...GATE, held: 34, released: 9, inView: 6, left: 20 }, { storage: { dataSaver: true } }),
    state('ready', 'Nothing on this page has to wait.', GATE),
    state('measured', '19% sooner with Firstscreen', { ...GATE, held: 14, released: 14, inView: 6 }, MEASURED),
    state('visits', 'Your visits to this site', GATE, { ...MEASURED, storage: { history: HISTORY } }),
    state('off', 'Firstscreen is off.', STATUS, { storage: { enabled: false } }),
    state('no-access', 'No access to websites', STATUS, { granted: [] }),
    state('closed-page', 'Not on this page', STATUS, { tab: { id: 1, url: 'about:blank', incognito: false } }),
    state('site-off', 'Off for this site', STATUS, { storage: { sites: { version: 1, sites: [{ host: 'news.example', isOff: true, tunnelOnly: false }] } } }),
    state('without', 'Loaded without Firstscreen, this once', { ...GATE, isWithout: true }),
    state('fast-link', 'Not needed now', { ...GATE, isLinkFast: true, connections: 'notNeeded', link: { ...STATUS.link, rateBitsPerSecond: 94e6, rttMs: 9 } }, { storage: CONNECTIONS }),
    state('service-worker', 'A service worker of the page', { ...GATE, isAnsweredByWorker: true }),
    state('private', 'The helper has no part', { ...STATUS, connections: 'tunnel' }, { storage: CONNECTIONS, tab: { id: 1, url: 'https://news.example/', incognito: true } }),
    state('no-helper', 'In this browser Firstscreen needs its helper', NO_HELPER),
    state('not-here', 'Not on this device', NOT_HERE),
    state('connections-off', 'switch them on below', STATUS),
    state('other-proxy', 'has set a proxy in this browser, and Firstscreen', { ...STATUS, connections: 'otherProxy' }, { storage: CONNECTIONS }),
    state('helper-refused', 'The helper did not take the requests', { ...STATUS, connections: 'helperRefused' }, { storage: CONNECTIONS }),
    state('tunnel', 'The helper puts plain requests in order', { ...STATUS, connections: 'tunnel' }, { storage: CONNECTIONS }),
    state('intercepted', 'The helper puts requests in order', { ...STATUS, connections: 'intercepted', driver: GOOD_DRIVER }, { storage: { ...CONNECTIONS, nextPage: true } }),
    state('driver-fault', 'Driver does not answer', { ...STATUS, connections: 'tunnel', driver: SILENT_DRIVER }, { storage: CONNECTIONS }),
    state('misfit', 'is older than the extension', { ...GATE, misfit: { kind: 'helperOlder', extension: '0.2.0', helper: '0.1.3' } }),
  ],
};

function state(name: string, shows: string, status: object, world: Partial<World> = {}): ScreenState {
  return { name, shows, world: { ...world, answers: { status } } };
}
