import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SILENT_DRIVER, type DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { ConnectionsStatus, HelperMisfit, TabStatus, TrustStatus } from '../messages/status.ts';
import type { HelperState } from './helperLink.ts';
import { answerPopup, driverReport, helperStatus } from './status.ts';
import { FakeRuntime, NOBODY_ANSWERS, OWN_PAGES } from './testing.ts';

const ABLE = ['memory', 'nextPage', 'proxy'];
const ABSENT: DriverReport = { state: 'absent', text: 'none', detail: '', nextStep: null, limits: [] };

interface Given {
  readonly helper?: HelperState;
  readonly can?: string[];
  readonly isOurs?: boolean | Error;
  readonly state?: ConnectionsStatus;
  readonly trust?: TrustStatus;
  readonly misfit?: HelperMisfit | null;
}

function statusOf({ helper = 'connected', can = ABLE, isOurs = true, state = 'browser', trust = 'unknown', misfit = null }: Given): ReturnType<typeof helperStatus> {
  const asked = isOurs instanceof Error ? Promise.reject(isOurs) : Promise.resolve(isOurs);
  // nobody asks when something else decides
  asked.catch(() => undefined);
  return helperStatus({ state: helper, misfit, can: (capability) => can.includes(capability), ask: () => Promise.resolve(null) }, { state, trust }, { isOurs: () => asked });
}

describe('what the popup is told of the helper', () => {
  it.each(['browser', 'notNeeded', 'paused', 'tunnel', 'intercepted'] as const)('connections as they are: %s', async (state) => {
    expect(await statusOf({ state })).toEqual({ helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: state, trust: 'unknown' });
  });

  it.each(['none', 'notTaken', 'trusted'] as const)('trust as it was seen: %s', async (trust) => {
    expect((await statusOf({ trust })).trust).toBe(trust);
  });

  it.each([
    ['absent', { helper: 'absent' }, 'noHelper', 'noHelper'],
    ['not for this device', { helper: 'notHere' }, 'notHere', 'notHere'],
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

  it.each<[string, string[], DriverReport | null, DriverReport | null]>([
    ['as the helper tells', ['driver'], ABSENT, ABSENT],
    ['when nothing comes in time', ['driver'], null, SILENT_DRIVER],
    ['of an older helper, which is not asked', ABLE, ABSENT, null],
  ])('the driver %s', async (_, can, report, driver) => {
    const helper = { state: 'connected', misfit: null, can: (capability: string) => can.includes(capability), ask: (): Promise<never> => Promise.resolve(report as never) } as const;
    expect(await driverReport(helper)).toEqual(driver);
  });
});

describe('a question', () => {
  let runtime: FakeRuntime;
  beforeEach(() => {
    runtime = new FakeRuntime();
    vi.stubGlobal('chrome', { runtime });
    answerPopup({ status: (tabId) => Promise.resolve({ held: tabId } as TabStatus), loadWithout: (tabId) => Promise.resolve(tabId === 7) });
  });

  const answerTo = (question: unknown, sender: Parameters<FakeRuntime['ask']>[1] = { url: `${OWN_PAGES}popup.html` }): Promise<unknown> => runtime.ask(question, sender);

  it.each<[object, unknown]>([
    [{ type: 'status', tabId: 7 }, { held: 7 }],
    [{ type: 'loadWithout', tabId: 7 }, true],
    [{ type: 'loadWithout', tabId: 8 }, false],
    [{ type: 'loadWithout' }, NOBODY_ANSWERS],
    [{ type: 'loadWithout', tabId: 7.5 }, NOBODY_ANSWERS],
    [{ type: 'loadWithout', tabId: 7, url: 'https://a.test/' }, NOBODY_ANSWERS],
    [{ type: 'else', tabId: 7 }, NOBODY_ANSWERS],
  ])('%j is answered: %o', async (question, answer) => expect(await answerTo(question)).toEqual(answer));

  it.each([
    ['a content script', { url: 'https://a.test/' }],
    ['another extension', { id: 'other', url: 'chrome-extension://other/popup.html' }],
  ])('of %s is not answered', async (_, sender) => expect(await answerTo({ type: 'loadWithout', tabId: 7 }, sender)).toBe(NOBODY_ANSWERS));
});
