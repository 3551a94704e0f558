import { expect, it } from 'vitest';
import { excusesOf } from './excuses.ts';
import type { Fault } from './plan.ts';

const CHANGED = { url: 'https://site1.two.test/far1.png', code: 'net::ERR_NETWORK_CHANGED' };
const UNREACHABLE = { url: 'https://site1.own.test/', code: 'net::ERR_ADDRESS_UNREACHABLE' };
const BLOCKED = { url: 'https://site1.own.test/far2.png', code: 'net::ERR_BLOCKED_BY_CLIENT' };
const SEEN = { failures: [CHANGED, UNREACHABLE, BLOCKED], failed: ['own/near.png'], asked: ['own/', 'own/near.png'] };
const CALM = { fault: 'none', moment: 'during' } as const;
const NONE = { lost: [], repeated: [] };

it.each<Fault>(['none', 'workerStopped', 'popupToggled', 'driverKilled'])('%s excuses nothing', (fault) => {
  expect(excusesOf(SEEN, CALM, { fault, moment: 'during' })).toEqual(NONE);
});

it('excuses what a browser ends as the network changes, then and in the load after', () => {
  const changed = { fault: 'addressChanged', moment: 'releasing' } as const;
  expect(excusesOf(SEEN, CALM, changed)).toEqual({ ...NONE, lost: ['two/far1.png'] });
  expect(excusesOf(SEEN, changed, CALM)).toEqual({ ...NONE, lost: ['two/far1.png'] });
});

it('excuses what is seen to have failed while the link is lost, and what nobody ended on purpose', () => {
  const lost = { fault: 'linkLost', moment: 'before' } as const;
  expect(excusesOf(SEEN, CALM, lost)).toEqual({ ...NONE, lost: ['two/far1.png', 'own/', 'own/near.png'] });
  expect(excusesOf(SEEN, lost, CALM)).toEqual({ ...NONE, lost: ['two/far1.png'] });
});

it('excuses what was under way through a helper that is killed, and nothing before or after', () => {
  const killed = { fault: 'helperKilled', moment: 'releasing' } as const;
  expect(excusesOf(SEEN, CALM, killed)).toEqual({ lost: ['two/far1.png', 'own/', 'own/near.png'], repeated: SEEN.asked });
  expect(excusesOf(SEEN, CALM, { ...killed, moment: 'before' })).toEqual(NONE);
  expect(excusesOf(SEEN, killed, CALM)).toEqual(NONE);
});
