import { expect, it } from 'vitest';
import { helpExtent, type Circumstances } from './helpExtent.ts';

const SLOW: Circumstances = { isEnabled: true, hasAccess: true, hasGate: true, pays: true, wantsConnections: false, savesData: false };

it.each<[string, Partial<Circumstances>, ReturnType<typeof helpExtent>]>([
  ['a slow link', {}, { held: 'all', watched: 'all' }],
  ['switched off', { isEnabled: false }, { held: 'nothing', watched: 'nothing' }],
  ['no access to pages', { hasAccess: false }, { held: 'nothing', watched: 'nothing' }],
  ['a fast link: watched, as it may become slow', { pays: false }, { held: 'nothing', watched: 'layoutFiles' }],
  ['a slow link, with the helper', { wantsConnections: true }, { held: 'all', watched: 'all' }],
  ['Chromium without a policy', { hasGate: false }, { held: 'nothing', watched: 'nothing' }],
  ['Chromium without a policy, with the helper', { hasGate: false, wantsConnections: true }, { held: 'nothing', watched: 'layoutFiles' }],
  ['no access to pages, with the helper', { hasAccess: false, wantsConnections: true }, { held: 'nothing', watched: 'nothing' }],
  ['a slow link, with the data saver', { savesData: true }, { held: 'all', watched: 'all' }],
  ['a fast link, with the data saver: it may cost money, too', { pays: false, savesData: true }, { held: 'saved', watched: 'layoutFiles' }],
  ['switched off, with the data saver', { isEnabled: false, savesData: true }, { held: 'nothing', watched: 'nothing' }],
  ['Chromium without a policy, with the data saver', { hasGate: false, savesData: true }, { held: 'nothing', watched: 'nothing' }],
])('%s', (_, change, expected) => expect(helpExtent({ ...SLOW, ...change })).toEqual(expected));
