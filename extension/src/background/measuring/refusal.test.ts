import { expect, it } from 'vitest';
import type { Refusal } from '../../messages/measuring.ts';
import { refusalOf, type MeasuringCircumstances } from './refusal.ts';

const FINE: MeasuringCircumstances = { url: 'https://a.test/', isOrdinary: true, wasPosted: false, isEnabled: true, isSiteOff: false, hasAccess: true, isPaused: false, isRunning: false, isMetered: false, maySpend: false };

it.each<[string, Partial<MeasuringCircumstances>, Refusal | null]>([
  ['a page of the web', {}, null],
  ['the same in clear', { url: 'http://a.test/' }, null],
  ["the browser's own page", { url: 'chrome://settings/' }, 'notWeb'],
  ['a file', { url: 'file:///a.html' }, 'notWeb'],
  ['a page that the browser does not tell of', { url: undefined }, 'notWeb'],
  ['a private window', { isOrdinary: false }, 'private'],
  ['what a form was sent for', { wasPosted: true }, 'posted'],
  ['Firstscreen that is off: there is nothing to compare', { isEnabled: false }, 'off'],
  ['a site for which it is off: the same', { isSiteOff: true }, 'siteOff'],
  ['no access to sites', { hasAccess: false }, 'noAccess'],
  ['a page that is loaded without Firstscreen once, in whatever tab', { isPaused: true }, 'paused'],
  ['a second measurement beside one', { isRunning: true }, 'running'],
  ['bytes that cost', { isMetered: true }, 'metered'],
  ['bytes that cost and may be spent', { isMetered: true, maySpend: true }, null],
])('%s', (_, circumstances, refusal) => expect(refusalOf({ ...FINE, ...circumstances })).toBe(refusal));
