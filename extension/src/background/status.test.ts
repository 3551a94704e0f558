import { describe, expect, it } from 'vitest';
import { SILENT_DRIVER, type DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { HelperMisfit } from '../messages/status.ts';
import type { HelperState } from './helperLink.ts';
import type { OwnConnections } from './ownConnections.ts';
import { helperStatus } from './status.ts';

const ABLE = ['memory', 'nextPage', 'proxy'];
const ABSENT: DriverReport = { state: 'absent', text: 'none', detail: '', nextStep: null, limits: [] };

interface Given {
  readonly helper?: HelperState;
  readonly can?: string[];
  readonly isOurs?: boolean | Error;
  readonly state?: OwnConnections['state'];
  readonly trust?: OwnConnections['trust'];
  /** What the helper answers; null: nothing in time. */
  readonly report?: DriverReport | null;
  readonly misfit?: HelperMisfit | null;
}

function statusOf({ helper = 'connected', can = ABLE, isOurs = true, state = 'browser', trust = 'unknown', report = null, misfit = null }: Given): ReturnType<typeof helperStatus> {
  const asked = isOurs instanceof Error ? Promise.reject(isOurs) : Promise.resolve(isOurs);
  // nobody asks when something else decides
  asked.catch(() => undefined);
  return helperStatus({ state: helper, misfit, can: (capability) => can.includes(capability), ask: (): Promise<never> => Promise.resolve(report as never) }, { state, trust }, { isOurs: () => asked });
}

describe('what the popup is told of the helper', () => {
  it.each(['browser', 'notNeeded', 'tunnel', 'intercepted'] as const)('connections as they are: %s', async (state) => {
    expect(await statusOf({ state })).toEqual({ helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: state, trust: 'unknown', driver: null });
  });

  it.each(['none', 'notTaken', 'trusted'] as const)('trust as it was seen: %s', async (trust) => {
    expect((await statusOf({ trust })).trust).toBe(trust);
  });

  it.each([
    ['absent', { helper: 'absent' }, 'noHelper', 'noHelper'],
    ['not there yet', { helper: 'connecting' }, 'noHelper', 'noHelper'],
    ['too old for both', { can: [] }, 'oldHelper', 'oldHelper'],
    ['too old for one', { can: ['memory'] }, null, 'oldHelper'],
  ] as const)('a helper that is %s', async (_, given, memory, connections) => {
    const status = await statusOf({ ...given, can: 'can' in given ? [...given.can] : ABLE });
    expect(status).toMatchObject({ memory: memory ?? 'available', connections });
  });

  it('a release that does not fit', async () => {
    const misfit = { kind: 'helperOlder', extension: '0.2.0', helper: '0.1.0' } as const;
    expect((await statusOf({ misfit })).misfit).toBe(misfit);
  });

  it.each([
    ['somebody else says where requests go', { isOurs: false }, 'otherProxy'],
    ['the browser does not tell', { isOurs: new Error('not here') }, 'otherProxy'],
    ['the helper did not take them', { state: 'helperRefused' }, 'helperRefused'],
    ['the browser did not obey', { state: 'browserRefused' }, 'browserRefused'],
  ] as const)('connections that can not be had: %s', async (_, given, reason) => {
    expect((await statusOf(given)).connections).toBe(reason);
  });

  it.each<[string, Given, DriverReport | null]>([
    ['as the helper tells', { can: ['driver'], report: ABSENT }, ABSENT],
    ['when nothing comes in time', { can: ['driver'], report: null }, SILENT_DRIVER],
    ['of an older helper, which is not asked', { can: ABLE, report: ABSENT }, null],
  ])('the driver %s', async (_, given, driver) => {
    expect((await statusOf(given)).driver).toEqual(driver);
  });
});
