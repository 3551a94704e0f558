import { expect, it } from 'vitest';
import { excusesOf } from './excuses.ts';
import type { Fault } from './plan.ts';

const CHANGED = { url: 'https://site1.two.test/far1.png', code: 'net::ERR_NETWORK_CHANGED' };
const UNREACHABLE = { url: 'https://site1.own.test/', code: 'net::ERR_ADDRESS_UNREACHABLE' };
const BOTH = [CHANGED, UNREACHABLE];
const CALM = { fault: 'none', moment: 'during' } as const;
const NONE = { lost: [], mayLose: false, mayRepeat: false };

it.each<Fault>(['none', 'workerStopped', 'popupToggled', 'driverKilled'])('%s excuses nothing', (fault) => {
  expect(excusesOf(BOTH, CALM, { fault, moment: 'during' })).toEqual(NONE);
});

it('excuses what a browser ends as the network changes, then and in the load after', () => {
  const changed = { fault: 'addressChanged', moment: 'releasing' } as const;
  expect(excusesOf(BOTH, CALM, changed)).toEqual({ ...NONE, lost: ['two/far1.png'] });
  expect(excusesOf(BOTH, changed, CALM)).toEqual({ ...NONE, lost: ['two/far1.png'] });
});

it('excuses every loss while the link is lost', () => {
  const lost = { fault: 'linkLost', moment: 'before' } as const;
  expect(excusesOf(BOTH, CALM, lost)).toEqual({ lost: ['two/far1.png', 'own/'], mayLose: true, mayRepeat: false });
  expect(excusesOf(BOTH, lost, CALM)).toEqual({ ...NONE, lost: ['two/far1.png'] });
});

it('excuses what was under way through a helper that is killed, and nothing before or after', () => {
  const killed = { fault: 'helperKilled', moment: 'releasing' } as const;
  expect(excusesOf(BOTH, CALM, killed)).toEqual({ lost: [], mayLose: true, mayRepeat: true });
  expect(excusesOf(BOTH, CALM, { ...killed, moment: 'before' })).toEqual(NONE);
  expect(excusesOf(BOTH, killed, CALM)).toEqual(NONE);
});
