import { describe, expect, it } from 'vitest';
import type { ConnectionsStatus, TabStatus } from '../messages/status.ts';
import type { PopupState } from './describe.ts';
import { connectionsOption, nextPageOption, rememberOption } from './options.ts';

const STATUS: TabStatus = { held: 0, released: 0, inView: 0, hasGate: true, isLinkFast: false, helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: 'browser', driver: null };
const OFF: PopupState = { enabled: true, hasAccess: true, remember: false, connections: false, nextPage: false, status: STATUS };
const ON: PopupState = { ...OFF, remember: true, connections: true, nextPage: true };

function withConnections(state: PopupState, connections: ConnectionsStatus): PopupState {
  return { ...state, status: { ...STATUS, connections } };
}

describe.each([
  ['remember', rememberOption],
  ['connections', connectionsOption],
])('switch %s', (_, option) => {
  it('can be switched on when the helper can do it, with nothing to add', () => expect(option(OFF)).toEqual({ isOn: false, isLocked: false, note: '' }));

  it.each([
    ['Firstscreen is off', { enabled: false }, /is off/],
    ['nobody answers', { status: null }, /Waiting/],
  ])('says why it is locked when %s', (_case, change, reason) => {
    const { isLocked, note } = option({ ...OFF, ...change });
    expect(isLocked).toBe(true);
    expect(note).toMatch(reason);
  });

  it.each(['noHelper', 'oldHelper'] as const)('is locked without a helper that can do it (%s), with a reason, and can still be switched off', (reason) => {
    const status: TabStatus = { ...STATUS, memory: reason, connections: reason };
    const note = expect.stringContaining('helper') as string;
    expect(option({ ...OFF, status })).toEqual({ isOn: false, isLocked: true, note });
    expect(option({ ...ON, status })).toEqual({ isOn: true, isLocked: false, note });
  });
});

describe('the switch for the next page', () => {
  it('can be switched on with the connections, and not without', () => {
    expect(nextPageOption({ ...OFF, connections: true })).toEqual({ isOn: false, isLocked: false, note: '' });
    expect(nextPageOption(OFF)).toEqual({ isOn: false, isLocked: true, note: "Needs the helper's connections." });
    expect(nextPageOption({ ...OFF, nextPage: true })).toMatchObject({ isOn: true, isLocked: false });
  });

  it.each([
    ['Firstscreen is off', { enabled: false }, /is off/],
    ['nobody answers', { status: null }, /Waiting/],
    ['the helper is too old', { status: { ...STATUS, nextPage: 'oldHelper' } }, /newer helper/],
  ] as const)('says why it is locked when %s', (_, change, reason) => expect(nextPageOption({ ...OFF, connections: true, ...change })).toMatchObject({ isLocked: true, note: expect.stringMatching(reason) as string }));

  it.each([
    ['tunnel', /nothing is fetched/],
    ['intercepted', /^In use\.$/],
    ['notNeeded', /this fast/],
    ['otherProxy', /a policy or another extension/],
  ] as const)('says how far it reaches: %s', (state, note) => expect(nextPageOption(withConnections(ON, state)).note).toMatch(note));
});

it.each([
  ['browser', /Starting/],
  ['notNeeded', /this fast/],
  ['tunnel', /closed/],
  ['intercepted', /encrypted connections too/],
] as const)('says of connections that are on how they go: %s', (state, note) => expect(connectionsOption(withConnections(ON, state)).note).toMatch(note));

it.each([
  ['otherProxy', /a policy or another extension/],
  ['helperRefused', /The helper did not/],
  ['browserRefused', /This browser did not/],
] as const)('locks the connections, and not the memory, when they can not be had: %s', (reason, note) => {
  const state = withConnections(OFF, reason);
  expect(connectionsOption(state)).toMatchObject({ isLocked: true, note: expect.stringMatching(note) as string });
  expect(rememberOption(state).isLocked).toBe(false);
});
