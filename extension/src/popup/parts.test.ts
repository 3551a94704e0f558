import { beforeEach, expect, it, vi } from 'vitest';
import { STATUS } from '../messages/testing.ts';
import { describeHelper, describeRelay } from './parts.ts';

// each text is its key, and what is put into it
beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string, values: readonly string[]) => [key, ...values].join(' ') } }));

it.each([
  ['connected', { state: 'good', text: 'helperConnected', detail: '', nextStep: null }],
  ['connecting', { state: 'absent', text: 'helperSought', detail: '', nextStep: null }],
  ['absent', null],
  ['notHere', null],
] as const)('says of a helper that is %s how it stands, and nothing of one that is not there: where it is needed the page says so', (helper, line) => {
  expect(describeHelper({ ...STATUS, helper })).toEqual(line);
});

it('says nothing while nobody answers', () => expect(describeHelper(null)).toBe(null));

it.each([
  ['connected', 'helperOlder', 'misfitHelperOlder 0.1.0 0.2.0', 'misfitHelperOlderNext'],
  ['connected', 'extensionOlder', 'misfitExtensionOlder 0.2.0 0.1.0', 'misfitExtensionOlderNext'],
  ['absent', 'protocol', 'misfitProtocol', 'misfitProtocolNext'],
] as const)('says in one line that releases do not fit, with the next step: %s, %s', (helper, kind, text, detail) => {
  const misfit = { kind, extension: '0.2.0', helper: '0.1.0' };
  expect(describeHelper({ ...STATUS, helper, misfit })).toEqual({ state: 'fault', text, detail, nextStep: null });
});

it('says of the relay whether it is in use or silent, and nothing of one that is not', () => {
  expect(describeRelay({ ...STATUS, relay: 'inUse' })).toMatchObject({ state: 'good', text: 'relayInUse' });
  expect(describeRelay({ ...STATUS, relay: 'silent' })).toMatchObject({ state: 'fault', text: 'relaySilent', detail: 'relaySilentDetail' });
  expect([STATUS, { ...STATUS, relay: 'helper' as const }, null].map(describeRelay)).toEqual([null, null, null]);
});
