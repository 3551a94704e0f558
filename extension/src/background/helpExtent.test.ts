import { expect, it } from 'vitest';
import { helpExtent, type Circumstances } from './helpExtent.ts';

const SLOW: Circumstances = { isEnabled: true, hasAccess: true, hasGate: true, pays: true, carried: 'none', wantsConnections: false };

it.each<[string, Partial<Circumstances>, ReturnType<typeof helpExtent>]>([
  ['a slow link', {}, { held: 'all', watched: 'all' }],
  ['switched off', { isEnabled: false }, { held: 'none', watched: 'nothing' }],
  ['no access to pages', { hasAccess: false }, { held: 'none', watched: 'nothing' }],
  ['a fast link: watched, as it may become slow', { pays: false }, { held: 'none', watched: 'layoutFiles' }],
  ['the helper tunnels: it can not order https:', { carried: 'http', wantsConnections: true }, { held: 'https', watched: 'all' }],
  ['the helper intercepts: it orders everything', { carried: 'all', wantsConnections: true }, { held: 'none', watched: 'layoutFiles' }],
  ['Chromium without a policy', { hasGate: false }, { held: 'none', watched: 'nothing' }],
  ['Chromium without a policy, with the helper', { hasGate: false, carried: 'http', wantsConnections: true }, { held: 'none', watched: 'layoutFiles' }],
  ['no access to pages, with the helper', { hasAccess: false, carried: 'all', wantsConnections: true }, { held: 'none', watched: 'layoutFiles' }],
])('%s', (_, change, expected) => expect(helpExtent({ ...SLOW, ...change })).toEqual(expected));
