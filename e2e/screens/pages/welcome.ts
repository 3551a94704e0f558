import type { World } from '../fakeExtension.ts';
import type { ScreenPage, ScreenState, Step } from '../screenPage.ts';
import { GOOD_DRIVER, NO_DRIVER, NO_HELPER, STATUS } from './status.ts';

/** Where there is a helper, a driver is looked for. */
const HELPER = { ...STATUS, driver: NO_DRIVER };

export const WELCOME: ScreenPage = {
  name: 'welcome',
  width: 800,
  height: 'whole',
  states: [
    state('first', 'There is no helper yet.', NO_HELPER),
    seen(state('no-access', 'One thing is missing', NO_HELPER, { granted: [] })),
    seen(state('helper', 'The helper is there.', HELPER)),
    seen(state('trust', 'Encrypted connections stay closed to the helper.', { ...HELPER, connections: 'tunnel', trust: 'none' }, { storage: { connections: true } }), { click: '#trust-title' }),
    seen(state('done', 'may open encrypted connections', { ...HELPER, connections: 'intercepted', trust: 'trusted', driver: GOOD_DRIVER }, { storage: { connections: true } })),
    seen(state('misfit', 'is older than the extension', { ...HELPER, misfit: { kind: 'helperOlder', extension: '0.2.0', helper: '0.1.3' } })),
  ],
};

function state(name: string, shows: string, status: object, world: Partial<World> = {}): ScreenState {
  return { name, shows, world: { ...world, answers: { status, look: null } } };
}

/** The part of the page that differs from the first state. */
function seen(of: ScreenState, ...steps: readonly Step[]): ScreenState {
  return { ...of, steps, height: 600 };
}
