import type { World } from '../fakeExtension.ts';
import type { ScreenPage, ScreenState } from '../screenPage.ts';
import { NO_HELPER, STATUS } from './status.ts';

const CONNECTIONS = { remember: true, connections: true };
/** As `driverReport.ts` of the helper words them. */
const GOOD_DRIVER = { state: 'good', text: 'Driver protects small messages on wlan0', detail: '128 messages, 256 copies (31 kB)', nextStep: null, limits: [] };
const SILENT_DRIVER = { state: 'fault', text: 'Driver does not answer', detail: 'To see why, run:', nextStep: 'firstscreen-helper doctor', limits: ['Not supported: IB, spool (cgroup2 is not mounted)'] };

export const POPUP: ScreenPage = {
  name: 'popup',
  width: 360,
  height: 'whole',
  untranslated: 'it is being rewritten, with its texts in _locales',
  states: [
    state('gate', '14 images held', { ...STATUS, hasGate: true, held: 14, released: 9, inView: 6 }),
    state('off', 'Firstscreen is off.', STATUS, { storage: { enabled: false } }),
    state('no-access', 'No access to websites', STATUS, { granted: [] }),
    state('site-off', 'Off for this site', STATUS, { storage: { sites: { version: 1, sites: [{ host: 'news.example', isOff: true, tunnelOnly: false }] } } }),
    state('fast-link', 'Not needed now', { ...STATUS, hasGate: true, isLinkFast: true, connections: 'notNeeded' }, { storage: CONNECTIONS }),
    state('no-helper', 'In this browser Firstscreen needs its helper', NO_HELPER),
    state('tunnel', 'The helper puts plain requests in order', { ...STATUS, connections: 'tunnel' }, { storage: CONNECTIONS }),
    state('intercepted', 'The helper puts requests in order', { ...STATUS, connections: 'intercepted', driver: GOOD_DRIVER }, { storage: { ...CONNECTIONS, nextPage: true } }),
    state('driver-fault', 'Driver does not answer', { ...STATUS, connections: 'tunnel', driver: SILENT_DRIVER }, { storage: CONNECTIONS }),
    state('misfit', 'older than the extension', { ...STATUS, hasGate: true, misfit: { kind: 'helperOlder', extension: '0.2.0', helper: '0.1.3' } }),
  ],
};

function state(name: string, shows: string, status: object, world: Partial<World> = {}): ScreenState {
  return { name, shows, world: { ...world, answers: { status } } };
}
