import { expect, it } from 'vitest';
import type { TabStatus } from '../messages/status.ts';
import { describe, type PopupState } from './describe.ts';

const LOADING: TabStatus = { held: 48, released: 20, inView: 12, helper: 'connected', memory: { state: 'available' }, connections: { state: 'browser' }, driver: null };
const ON: PopupState = { enabled: true, remember: false, connections: false, hasAccess: true, status: LOADING };

it('splits what was held into parts that add up to it', () => {
  expect(describe(ON)).toMatchObject({ headline: '48 images held, 20 released', parts: { inView: 12, other: 8, waiting: 28 } });
});

it('says one image for one', () => {
  expect(describe({ ...ON, status: { ...LOADING, held: 1, released: 1, inView: 1 } }).headline).toBe('1 image held, 1 released');
});

it.each([
  ['switched off', { ...ON, enabled: false }, 'Off'],
  ['no site access', { ...ON, hasAccess: false }, 'No access to websites'],
  ['switched off and no site access', { ...ON, enabled: false, hasAccess: false }, 'Off'],
  ['nothing held', { ...ON, status: { ...LOADING, held: 0, released: 0, inView: 0 } }, 'Nothing held on this page'],
  ['no answer', { ...ON, status: null }, 'Nothing held on this page'],
])('counts nothing when %s', (_, state, headline) => {
  expect(describe(state)).toMatchObject({ headline, parts: null });
});

it('names the next step only where there is no helper', () => {
  const stepFor = (helper: TabStatus['helper']): string | null | undefined => describe({ ...ON, status: { ...LOADING, helper } }).helper?.nextStep;
  expect(stepFor('absent')).toBe('firstscreen-helper install');
  expect(stepFor('connecting')).toBeNull();
  expect(stepFor('connected')).toBeNull();
});
