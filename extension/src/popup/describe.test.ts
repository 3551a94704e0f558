import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TabStatus } from '../messages/status.ts';
import { describeHelper, describePage, type PopupState } from './describe.ts';

const LOADING: TabStatus = { held: 48, released: 20, inView: 12, hasGate: true, isLinkFast: false, helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: 'browser', driver: null };
const ON: PopupState = { enabled: true, remember: false, connections: false, nextPage: false, compareVisits: false, hasAccess: true, isOffHere: false, status: LOADING };

// each text of _locales is its key
beforeAll(() => vi.stubGlobal('chrome', { i18n: { getMessage: () => '' } }));
afterAll(() => vi.unstubAllGlobals());

it('splits what was held into parts that add up to it', () => {
  expect(describePage(ON)).toEqual(['48 images held', 'Released: 12 in view, 8 others. Waiting: 28.']);
});

it('says one image for one', () => {
  expect(describePage({ ...ON, status: { ...LOADING, held: 1, released: 1, inView: 1 } })[0]).toBe('1 image held');
});

it.each([
  ['switched off', { ...ON, enabled: false }, 'Off'],
  ['no site access', { ...ON, hasAccess: false }, 'No access to websites'],
  ['switched off and no site access', { ...ON, enabled: false, hasAccess: false }, 'Off'],
  ['nothing held', { ...ON, status: { ...LOADING, held: 0, released: 0, inView: 0 } }, 'Nothing held on this page'],
  ['no answer', { ...ON, status: null }, 'Starting'],
  ['switched off for the site', { ...ON, isOffHere: true }, 'offHere'],
  ['switched off for the site and altogether', { ...ON, enabled: false, isOffHere: true }, 'Off'],
  ['a fast link', { ...ON, status: { ...LOADING, isLinkFast: true } }, 'Not needed now'],
])('counts nothing when %s', (_, state, headline) => {
  expect(describePage(state)).toEqual([headline, expect.not.stringContaining('Waiting') as string]);
});

it.each([
  ['a browser that lets images be held, no helper', true, 'browser', 'Nothing held on this page'],
  ['the same by tunnel', true, 'tunnel', 'Nothing held on this page'],
  ['interception', true, 'intercepted', 'The helper puts requests in order'],
  ['a browser that does not, by tunnel', false, 'tunnel', 'The helper puts plain requests in order'],
  ['a browser that does not, no helper', false, 'browser', 'Nothing is put in order'],
] as const)('says what is done where nothing is held: %s', (_, hasGate, connections, headline) => {
  expect(describePage({ ...ON, status: { ...LOADING, held: 0, released: 0, inView: 0, hasGate, connections } })[0]).toBe(headline);
});

it.each([
  ['absent', true, undefined],
  ['absent', false, 'firstscreen-helper install'],
  ['connecting', false, null],
  ['connected', false, null],
] as const)('names the next step only where the helper is missing and needed: %s, gate %s', (helper, hasGate, nextStep) => {
  expect(describeHelper({ ...LOADING, helper, hasGate })?.nextStep).toBe(nextStep);
});

it.each([
  ['connected', 'helperOlder', 'The helper (0.1.0) is older than the extension (0.2.0)'],
  ['connected', 'extensionOlder', 'The extension (0.2.0) is older than the helper (0.1.0)'],
  ['absent', 'protocol', 'The extension and the helper do not understand each other'],
] as const)('says in one line that releases do not fit, with the next step: %s, %s', (helper, kind, text) => {
  const misfit = { kind, extension: '0.2.0', helper: '0.1.0' };
  expect(describeHelper({ ...LOADING, helper, misfit })).toEqual({ state: 'fault', text, detail: expect.stringMatching(/release|Update/) as string, nextStep: null });
});
