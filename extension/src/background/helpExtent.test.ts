import { expect, it } from 'vitest';
import { helpExtent, type Circumstances } from './helpExtent.ts';

const SLOW: Circumstances = { isEnabled: true, hasAccess: true, hasGate: true, pays: true, ordersHttps: false, wantsConnections: false };

it.each<[string, Partial<Circumstances>, ReturnType<typeof helpExtent>]>([
  ['a slow link', {}, { held: 'all', watched: 'all' }],
  ['switched off', { isEnabled: false }, { held: 'none', watched: 'nothing' }],
  ['no access to pages', { hasAccess: false }, { held: 'none', watched: 'nothing' }],
  ['a fast link: watched, as it may become slow', { pays: false }, { held: 'none', watched: 'layoutFiles' }],
  ['the helper tunnels', { wantsConnections: true }, { held: 'all', watched: 'all' }],
  ['the helper intercepts: it orders https:', { ordersHttps: true, wantsConnections: true }, { held: 'http', watched: 'http' }],
  ['Chromium without a policy', { hasGate: false }, { held: 'none', watched: 'nothing' }],
  ['Chromium without a policy, with the helper', { hasGate: false, wantsConnections: true }, { held: 'none', watched: 'layoutFiles' }],
  ['no access to pages, with the helper', { hasAccess: false, ordersHttps: true, wantsConnections: true }, { held: 'none', watched: 'layoutFiles' }],
])('%s', (_, change, expected) => expect(helpExtent({ ...SLOW, ...change })).toEqual(expected));
