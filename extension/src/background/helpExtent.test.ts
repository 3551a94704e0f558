import { expect, it } from 'vitest';
import { helpExtent, type Circumstances } from './helpExtent.ts';

const SLOW: Circumstances = { isEnabled: true, hasAccess: true, hasGate: true, pays: true, wantsConnections: false };

it.each<[string, Partial<Circumstances>, ReturnType<typeof helpExtent>]>([
  ['a slow link', {}, { isHolding: true, watched: 'all' }],
  ['switched off', { isEnabled: false }, { isHolding: false, watched: 'nothing' }],
  ['no access to pages', { hasAccess: false }, { isHolding: false, watched: 'nothing' }],
  ['a fast link: watched, as it may become slow', { pays: false }, { isHolding: false, watched: 'layoutFiles' }],
  ['a slow link, with the helper', { wantsConnections: true }, { isHolding: true, watched: 'all' }],
  ['Chromium without a policy', { hasGate: false }, { isHolding: false, watched: 'nothing' }],
  ['Chromium without a policy, with the helper', { hasGate: false, wantsConnections: true }, { isHolding: false, watched: 'layoutFiles' }],
  ['no access to pages, with the helper', { hasAccess: false, wantsConnections: true }, { isHolding: false, watched: 'layoutFiles' }],
])('%s', (_, change, expected) => expect(helpExtent({ ...SLOW, ...change })).toEqual(expected));
