import type { World } from '../fakeExtension.ts';
import type { ScreenPage, ScreenState } from '../screenPage.ts';
import { GOOD_DRIVER, NO_HELPER, SILENT_DRIVER, STATUS } from './status.ts';

const CONNECTIONS = { remember: true, connections: true };
const GATE = { ...STATUS, hasGate: true };

export const POPUP: ScreenPage = {
  name: 'popup',
  width: 360,
  height: 'whole',
  states: [
    state('gate', 'Images held: 14.', { ...GATE, held: 14, released: 9, inView: 6 }),
    state('ready', 'Nothing had to wait on this page.', GATE),
    state('off', 'Firstscreen is off.', STATUS, { storage: { enabled: false } }),
    state('no-access', 'No access to websites', STATUS, { granted: [] }),
    state('closed-page', 'Not on this page', STATUS, { tab: { id: 1, url: 'about:blank', incognito: false } }),
    state('site-off', 'Off for this site', STATUS, { storage: { sites: { version: 1, sites: [{ host: 'news.example', isOff: true, tunnelOnly: false }] } } }),
    state('without', 'Loaded without Firstscreen, this once', { ...GATE, isWithout: true }),
    state('fast-link', 'Not needed now', { ...GATE, isLinkFast: true, connections: 'notNeeded', link: { ...STATUS.link, rateBitsPerSecond: 94e6, rttMs: 9 } }, { storage: CONNECTIONS }),
    state('service-worker', 'A service worker of the page', { ...GATE, isAnsweredByWorker: true }),
    state('private', 'The helper has no part', { ...STATUS, connections: 'tunnel' }, { storage: CONNECTIONS, tab: { id: 1, url: 'https://news.example/', incognito: true } }),
    state('no-helper', 'In this browser Firstscreen needs its helper', NO_HELPER),
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
