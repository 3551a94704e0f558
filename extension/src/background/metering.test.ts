import { expect, it, vi } from 'vitest';
import { isLinkMetered } from './metering.ts';

it.each([
  ['where the browser does not tell', {}, false],
  ['on a line', { connection: { saveData: false, type: 'ethernet' } }, false],
  ['while the user saves data', { connection: { saveData: true } }, true],
  ['over a mobile network', { connection: { type: 'cellular' } }, true],
])('data cost %s: %s', (_, navigator, expected) => {
  vi.stubGlobal('navigator', navigator);
  expect(isLinkMetered()).toBe(expected);
});
