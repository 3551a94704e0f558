import type { ScreenPage } from '../screenPage.ts';
import { NO_HELPER, STATUS } from './status.ts';

/** Days since 1970. */
const LAST_DAY = 20_783;
const SITES = {
  version: 1,
  sites: [
    { host: 'bank.example', isOff: false, tunnelOnly: true },
    { host: 'intranet.example', isOff: true, tunnelOnly: false },
  ],
};
const REMEMBERED = {
  sites: [
    { site: 'news.example', pages: 42, lastDay: LAST_DAY },
    { site: 'shop.example', pages: 7, lastDay: LAST_DAY - 3 },
    { site: 'trains.example', pages: 1, lastDay: LAST_DAY - 20 },
  ],
  more: 0,
};

export const OPTIONS: ScreenPage = {
  name: 'options',
  width: 800,
  height: 'whole',
  states: [
    {
      name: 'in-use',
      shows: 'trains.example',
      world: {
        storage: { remember: true, connections: true, nextPage: true, sites: SITES },
        granted: ['http://*/*', 'https://*/*', 'history'],
        answers: { status: { ...STATUS, connections: 'intercepted' }, remembered: REMEMBERED },
      },
    },
    { name: 'no-helper', shows: 'The helper is not there', world: { answers: { status: NO_HELPER, remembered: null } }, height: 720 },
    {
      name: 'forget-everything',
      shows: 'That can not be taken back.',
      world: { storage: { remember: true }, answers: { status: STATUS, remembered: REMEMBERED } },
      steps: [{ click: '#forget-all' }],
      height: 600,
    },
  ],
};
