import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionsStatus, TabStatus } from '../messages/status.ts';
import { STATUS } from '../messages/testing.ts';
import { connectionsOption, dataSaverOption, nextPageOption, relayOption, rememberOption, type CapabilitiesNow } from './capabilities.ts';

const OFF: CapabilitiesNow = { enabled: true, remember: false, connections: false, nextPage: false, compareVisits: false, dataSaver: false, relay: false, status: STATUS };
const ON: CapabilitiesNow = { ...OFF, remember: true, connections: true, nextPage: true };

// each text is its key
beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: () => '' } }));

function withConnections(state: CapabilitiesNow, connections: ConnectionsStatus): CapabilitiesNow {
  return { ...state, status: { ...STATUS, connections } };
}

describe.each([
  ['remember', rememberOption],
  ['connections', connectionsOption],
])('switch %s', (_, option) => {
  it('can be switched on when the helper can do it, with nothing to add', () => expect(option(OFF)).toEqual({ isOn: false, isLocked: false, note: '' }));

  it.each([
    ['Firstscreen is off', { enabled: false }, 'noteOff'],
    ['nobody answers', { status: null }, 'noteNoAnswer'],
  ])('says why it is locked when %s', (_case, change, note) => expect(option({ ...OFF, ...change })).toMatchObject({ isLocked: true, note }));

  it.each([
    ['noHelper', 'noteNoHelper'],
    ['notHere', 'noteNotHere'],
    ['oldHelper', 'noteOldHelper'],
  ] as const)('is locked without a helper that can do it (%s), with a reason, and can still be switched off', (reason, note) => {
    const status: TabStatus = { ...STATUS, memory: reason, connections: reason };
    expect(option({ ...OFF, status })).toEqual({ isOn: false, isLocked: true, note });
    expect(option({ ...ON, status })).toEqual({ isOn: true, isLocked: false, note });
  });
});

describe('the switch for the next page', () => {
  it('can be switched on with the connections, and not without', () => {
    expect(nextPageOption({ ...OFF, connections: true })).toEqual({ isOn: false, isLocked: false, note: '' });
    expect(nextPageOption(OFF)).toEqual({ isOn: false, isLocked: true, note: 'noteNeedsConnections' });
    expect(nextPageOption({ ...OFF, nextPage: true })).toMatchObject({ isOn: true, isLocked: false });
  });

  it.each([
    ['Firstscreen is off', { enabled: false }, 'noteOff'],
    ['nobody answers', { status: null }, 'noteNoAnswer'],
    ['the helper is too old', { status: { ...STATUS, nextPage: 'oldHelper' } }, 'noteOldHelper'],
  ] as const)('says why it is locked when %s', (_, change, note) => expect(nextPageOption({ ...OFF, connections: true, ...change })).toMatchObject({ isLocked: true, note }));

  it.each([
    ['tunnel', 'noteNextPageTunnel'],
    ['intercepted', 'noteInUse'],
    ['notNeeded', 'noteNotNeeded'],
    ['otherProxy', 'noteNeedsConnections'],
    ['helperRefused', 'noteNeedsConnections'],
  ] as const)('says how far it reaches: %s', (state, note) => expect(nextPageOption(withConnections(ON, state)).note).toBe(note));
});

describe('the data saver', () => {
  it('can be switched on where images can be held, whatever the helper', () => {
    expect(dataSaverOption({ ...OFF, status: { ...STATUS, helper: 'absent' } })).toEqual({ isOn: false, isLocked: false, note: '' });
  });

  it.each([
    ['Firstscreen is off', { enabled: false }, 'noteOff'],
    ['nobody answers', { status: null }, 'noteNoAnswer'],
    ['images can not be held', { status: { ...STATUS, hasGate: false } }, 'noteNeedsGate'],
  ])('says why it is locked when %s, and can still be switched off', (_, change, note) => {
    expect(dataSaverOption({ ...OFF, ...change })).toEqual({ isOn: false, isLocked: true, note });
    expect(dataSaverOption({ ...OFF, ...change, dataSaver: true, relay: false })).toEqual({ isOn: true, isLocked: false, note });
  });
});

it.each([
  ['browser', 'noteStarting'],
  ['notNeeded', 'noteNotNeeded'],
  ['paused', 'notePaused'],
  ['tunnel', 'noteTunnel'],
  ['intercepted', 'noteIntercepted'],
] as const)('says of connections that are on how they go: %s', (state, note) => expect(connectionsOption(withConnections(ON, state)).note).toBe(note));

it.each([
  ['otherProxy', 'noteOtherProxy'],
  ['helperRefused', 'noteHelperRefused'],
  ['browserRefused', 'noteBrowserRefused'],
] as const)('locks the connections, and not the memory, when they can not be had: %s', (reason, note) => {
  const state = withConnections(OFF, reason);
  expect(connectionsOption(state)).toMatchObject({ isLocked: true, note });
  expect(rememberOption(state).isLocked).toBe(false);
});

it.each([
  ['needs a link', OFF, false, { isOn: false, isLocked: true, note: 'noteNoRelay' }],
  ['can be switched on with one', OFF, true, { isOn: false, isLocked: false, note: '' }],
  ['is in use', { ...ON, relay: true, status: { ...STATUS, relay: 'inUse' } }, true, { isOn: true, isLocked: false, note: 'noteInUse' }],
  ['is not used with a helper', { ...ON, relay: true, status: { ...STATUS, relay: 'helper' } }, true, { isOn: true, isLocked: false, note: 'noteRelayHelper' }],
  ['waits while a page is loaded without', { ...ON, relay: true, status: { ...STATUS, relay: 'paused' } }, true, { isOn: true, isLocked: false, note: 'notePaused' }],
  ['is silent', { ...ON, relay: true, status: { ...STATUS, relay: 'silent' } }, true, { isOn: true, isLocked: false, note: 'relaySilent' }],
  ['is off with all', { ...ON, enabled: false, relay: true }, true, { isOn: true, isLocked: false, note: 'noteOff' }],
] as const)('the relay %s', (_, now, hasLink, option) => expect(relayOption(now, hasLink)).toEqual(option));
