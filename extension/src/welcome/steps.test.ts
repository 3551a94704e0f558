import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { ConnectionsStatus, HelperMisfit, TabStatus } from '../messages/status.ts';
import { STATUS } from '../messages/testing.ts';
import { mayTurn, newlyDone, STEP_NAMES, stepsOf, summaryOf, type SetUpNow, type Step, type StepName, type StepState } from './steps.ts';

const LINUX = { os: 'linux', arch: 'x86-64', version: '1.0.0' };
const WINDOWS = { ...LINUX, os: 'win' };
const MAC = { ...LINUX, os: 'mac' };
const NOWHERE: Partial<TabStatus> = { helper: 'notHere', memory: 'notHere', nextPage: 'notHere', connections: 'notHere' };
const ALONE: TabStatus = { ...STATUS, helper: 'absent', memory: 'noHelper', nextPage: 'noHelper', connections: 'noHelper' };
const NO_DRIVER: DriverReport = { state: 'absent', text: 'Driver not running', detail: '', nextStep: 'sudo systemctl start firstscreen-driver', limits: [] };
const HELPED: TabStatus = { ...STATUS, driver: NO_DRIVER };
const INSTALLED: SetUpNow = { enabled: true, remember: false, connections: false, nextPage: false, compareVisits: false, dataSaver: false, relay: false, hasAccess: true, machine: LINUX, status: ALONE };
const WITH_HELPER: SetUpNow = { ...INSTALLED, status: HELPED };
const CONNECTED: SetUpNow = { ...WITH_HELPER, connections: true, status: { ...HELPED, connections: 'tunnel', trust: 'none' } };

// each text of _locales is its key
beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: () => '' } }));

function stepOf(now: SetUpNow, name: StepName): Step {
  return stepsOf(now).find((step) => step.name === name)!;
}
const statesOf = (now: SetUpNow): StepState[] => stepsOf(now).map(({ state }) => state);
const withStatus = (now: SetUpNow, status: Partial<TabStatus>): SetUpNow => ({ ...now, status: { ...(now.status ?? ALONE), ...status } });

describe('the steps, one after the other', () => {
  it.each<[string, SetUpNow, StepState[]]>([
    ['just started', { ...INSTALLED, status: null }, ['done', 'unknown', 'unknown', 'unknown', 'unknown']],
    ['just installed', INSTALLED, ['done', 'open', 'waits', 'waits', 'waits']],
    ['without access', { ...INSTALLED, hasAccess: false }, ['needed', 'open', 'waits', 'waits', 'waits']],
    ['while a helper is looked for', withStatus(INSTALLED, { helper: 'connecting' }), ['done', 'unknown', 'unknown', 'unknown', 'unknown']],
    ['with a helper', WITH_HELPER, ['done', 'done', 'open', 'waits', 'open']],
    ['with its connections', CONNECTED, ['done', 'done', 'done', 'open', 'open']],
    ['with trust', withStatus(CONNECTED, { connections: 'intercepted', trust: 'trusted' }), ['done', 'done', 'done', 'done', 'open']],
    ['with all', withStatus(CONNECTED, { connections: 'intercepted', trust: 'trusted', driver: { ...NO_DRIVER, state: 'good' } }), ['done', 'done', 'done', 'done', 'done']],
    ['on Windows', { ...INSTALLED, machine: WINDOWS }, ['done', 'unavailable', 'unavailable', 'unavailable', 'unavailable']],
    ['in a browser that starts no helpers, whatever the machine', withStatus(INSTALLED, NOWHERE), ['done', 'unavailable', 'unavailable', 'unavailable', 'unavailable']],
    ['on a Mac', { ...CONNECTED, machine: MAC, status: { ...HELPED, connections: 'tunnel', trust: 'none', driver: null } }, ['done', 'done', 'done', 'unavailable', 'unavailable']],
  ])('%s', (_, now, expected) => expect(statesOf(now)).toEqual(expected));
});

it.each<[string, boolean, Step]>([
  ['given', true, { name: 'access', state: 'done', text: 'welcomeAccessDone', commands: [], next: '' }],
  ['not given', false, { name: 'access', state: 'needed', text: 'welcomeAccessNeeded', commands: [], next: '' }],
])('access that is %s', (_, hasAccess, expected) => expect(stepOf({ ...INSTALLED, hasAccess }, 'access')).toEqual(expected));

describe('the helper', () => {
  const misfit = (kind: HelperMisfit['kind']): HelperMisfit => ({ kind, extension: '1.1.0', helper: '1.0.0' });

  it.each<[string, SetUpNow, StepState, string, number, string]>([
    ['nobody has told of', { ...INSTALLED, status: null }, 'unknown', 'noteNoAnswer', 0, ''],
    ['that is looked for', withStatus(INSTALLED, { helper: 'connecting' }), 'unknown', 'welcomeHelperLooking', 0, ''],
    ['that is absent', INSTALLED, 'open', 'welcomeHelperAbsent', 2, 'welcomeHelperNext'],
    ['that does not exist for the system', { ...INSTALLED, machine: WINDOWS }, 'unavailable', 'welcomeHelperNotHere welcomeWithoutHelper', 0, ''],
    ['that this browser does not start, and without a gate', withStatus(INSTALLED, { ...NOWHERE, hasGate: false }), 'unavailable', 'welcomeHelperNotHere welcomeWithoutHelperAndGate', 0, ''],
    ['that is there', WITH_HELPER, 'done', 'welcomeHelperDone', 0, ''],
    ['that is older', withStatus(WITH_HELPER, { misfit: misfit('helperOlder') }), 'open', 'welcomeHelperOlder', 2, 'welcomeThenRestart'],
    ['that is newer', withStatus(WITH_HELPER, { misfit: misfit('extensionOlder') }), 'open', 'welcomeExtensionOlder', 0, 'welcomeExtensionOlderNext'],
    ['that speaks otherwise', withStatus(INSTALLED, { misfit: misfit('protocol') }), 'open', 'welcomeProtocolMisfit', 0, 'welcomeProtocolMisfitNext'],
  ])('%s', (_, now, state, text, commands, next) => {
    const step = stepOf(now, 'helper');
    expect([step.state, step.text, step.commands.length, step.next]).toEqual([state, text, commands, next]);
  });
});

describe('its connections', () => {
  it.each<[string, boolean, ConnectionsStatus, StepState, string]>([
    ['off', false, 'browser', 'open', 'welcomeConnectionsOff'],
    ['on, and just starting', true, 'browser', 'open', 'noteStarting'],
    ['on, encrypted ones closed', true, 'tunnel', 'done', 'noteTunnel'],
    ['on, encrypted ones opened', true, 'intercepted', 'done', 'noteIntercepted'],
    ['on, with a link that needs none', true, 'notNeeded', 'done', 'noteNotNeeded'],
    ['on, with a proxy of somebody else', true, 'otherProxy', 'open', 'noteOtherProxy'],
    ['off, with a helper that is too old', false, 'oldHelper', 'open', 'noteOldHelper'],
    ['on, and refused by the helper', true, 'helperRefused', 'open', 'noteHelperRefused'],
  ])('%s', (_, connections, way, state, text) => {
    expect(stepOf(withStatus({ ...WITH_HELPER, connections }, { connections: way }), 'connections')).toMatchObject({ state, text });
  });

  it('are not done while Firstscreen is off altogether', () => {
    expect(stepOf({ ...WITH_HELPER, enabled: false, connections: true }, 'connections')).toMatchObject({ state: 'open', text: 'noteOff' });
  });
});

describe('trust', () => {
  it.each<[string, SetUpNow, StepState, string, number, string]>([
    ['before the connections are on', WITH_HELPER, 'waits', 'welcomeAfterConnections', 0, ''],
    ['without an authority', CONNECTED, 'open', 'welcomeTrustNone', 2, 'welcomeTrustNext'],
    ['with one that the browser does not take', withStatus(CONNECTED, { trust: 'notTaken' }), 'open', 'welcomeTrustNotTaken', 0, 'welcomeTrustNotTakenNext'],
    ['with one that it takes', withStatus(CONNECTED, { trust: 'trusted' }), 'done', 'welcomeTrustDone', 0, ''],
    ['that was seen before the link became fast', withStatus(CONNECTED, { connections: 'notNeeded', trust: 'trusted' }), 'done', 'welcomeTrustDone', 0, ''],
    ['that a fast link hides', withStatus(CONNECTED, { connections: 'notNeeded', trust: 'unknown' }), 'open', 'welcomeTrustHidden', 2, 'welcomeTrustHiddenNext'],
    ['on a system whose stores are not known', { ...CONNECTED, machine: MAC }, 'unavailable', 'welcomeNotHere', 0, ''],
  ])('%s', (_, now, state, text, commands, next) => {
    const step = stepOf(now, 'trust');
    expect([step.state, step.text, step.commands.length, step.next]).toEqual([state, text, commands, next]);
  });
});

describe('the driver', () => {
  it.each<[string, TabStatus['driver'], StepState, string, string[]]>([
    ['that the helper can not tell of', null, 'unavailable', 'welcomeDriverUnknown', []],
    ['that is absent', NO_DRIVER, 'open', 'welcomeDriverAbsent', [expect.stringMatching(/^sudo apt install \.\/firstscreen-driver_/) as string]],
    ['that is in force', { ...NO_DRIVER, state: 'good' }, 'done', 'welcomeDriverDone', []],
    ['that lets nobody in', { ...NO_DRIVER, state: 'fault', nextStep: 'sudo adduser "$USER" firstscreen' }, 'open', 'welcomeDriverFault', ['sudo adduser "$USER" firstscreen']],
    ['of another release', { ...NO_DRIVER, state: 'fault', nextStep: null }, 'open', 'welcomeDriverFault', []],
  ])('%s', (_, driver, state, text, commands) => {
    const step = stepOf(withStatus(WITH_HELPER, { driver }), 'driver');
    expect([step.state, step.text, step.commands.map((command) => command.text)]).toEqual([state, text, commands]);
  });
});

const anything: fc.Arbitrary<SetUpNow> = fc.record({
  enabled: fc.boolean(), remember: fc.boolean(), connections: fc.boolean(), nextPage: fc.boolean(), compareVisits: fc.boolean(), dataSaver: fc.boolean(), relay: fc.boolean(), hasAccess: fc.boolean(),
  machine: fc.record({ os: fc.constantFrom('linux', 'mac', 'win', 'android', 'plan9'), arch: fc.constantFrom('x86-64', 'arm64', 'mips'), version: fc.constant('1.0.0') }),
  status: fc.option(fc.record({
    helper: fc.constantFrom<TabStatus['helper'][]>('connecting', 'connected', 'absent', 'notHere'),
    misfit: fc.option(fc.record({ kind: fc.constantFrom<HelperMisfit['kind'][]>('helperOlder', 'extensionOlder', 'protocol'), extension: fc.constant('1'), helper: fc.constant('2') })),
    connections: fc.constantFrom<ConnectionsStatus[]>('browser', 'notNeeded', 'tunnel', 'intercepted', 'noHelper', 'oldHelper', 'otherProxy', 'helperRefused', 'browserRefused'),
    trust: fc.constantFrom<TabStatus['trust'][]>('unknown', 'none', 'notTaken', 'trusted'),
    driver: fc.option(fc.record({ state: fc.constantFrom<DriverReport['state'][]>('good', 'absent', 'fault'), text: fc.string(), detail: fc.constant(''), nextStep: fc.option(fc.string()), limits: fc.constant<string[]>([]) })),
  }).map((status) => ({ ...STATUS, ...status }))),
});

it('whatever is so, only access is ever needed, each step says how it stands, and what is done has nothing to run', () => {
  fc.assert(
    fc.property(anything, (now) => {
      const steps = stepsOf(now);
      expect(steps.map(({ name }) => name)).toEqual(STEP_NAMES);
      for (const { name, state, text, commands, next } of steps) {
        expect(state === 'needed').toBe(name === 'access' && !now.hasAccess);
        expect(text).not.toBe('');
        if (state !== 'open') expect([commands, next]).toEqual([[], '']);
      }
    }),
  );
});

it.each<[string, SetUpNow, SetUpNow, StepName[]]>([
  ['nothing', INSTALLED, INSTALLED, []],
  ['a helper', INSTALLED, WITH_HELPER, ['helper']],
  ['access and a helper', { ...INSTALLED, hasAccess: false }, WITH_HELPER, ['access', 'helper']],
  ['nothing, when something is undone', WITH_HELPER, INSTALLED, []],
])('has newly been done: %s', (_, before, after, expected) => expect(newlyDone(stepsOf(before), stepsOf(after))).toEqual(expected));

it('nothing is newly done when the page is shown for the first time', () => expect(newlyDone([], stepsOf(CONNECTED))).toEqual([]));

it.each<[string, SetUpNow, boolean]>([
  ['a helper is missing', INSTALLED, true],
  ['nobody has answered', { ...INSTALLED, status: null }, true],
  ['only an authority is missing', withStatus(CONNECTED, { driver: { ...NO_DRIVER, state: 'good' } }), true],
  ['only a driver is missing', withStatus(CONNECTED, { trust: 'trusted' }), true],
  ['nothing is missing', withStatus(CONNECTED, { trust: 'trusted', driver: { ...NO_DRIVER, state: 'good' } }), false],
  ['there is nothing to install here', { ...INSTALLED, machine: WINDOWS }, false],
  ['the browser starts no helpers', withStatus(INSTALLED, NOWHERE), false],
])('looks again when %s: %s', (_, now, expected) => expect(mayTurn(stepsOf(now))).toBe(expected));

it.each([
  ['access is missing', { ...INSTALLED, hasAccess: false }, 'firefox', 'welcomeSummaryAccess'],
  ['only access is there', INSTALLED, 'firefox', 'welcomeSummaryReady'],
  ['only access is there', INSTALLED, 'policy', 'welcomeSummaryReady'],
  ['only access is there, in Chromium from a store, which alone gains nothing', INSTALLED, 'store', 'welcomeSummaryStore'],
  ['only access is there, in Chromium from a store, on a system without a helper', { ...INSTALLED, machine: WINDOWS }, 'store', 'welcomeSummaryRelay'],
  ['the connections are in use', CONNECTED, 'store', 'welcomeSummaryReady'],
] as const)('sums up when %s', (_, now, installation, expected) => expect(summaryOf(stepsOf(now), installation)).toBe(expected));
