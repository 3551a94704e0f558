import { beforeEach, expect, it, vi } from 'vitest';
import { formatAgo, formatBytes, formatMs, formatRate } from './format.ts';
import { shippedTexts } from './testing.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

beforeEach(() => vi.stubGlobal('chrome', { i18n: shippedTexts('en') }));

it.each([
  [formatMs, 999.4, '999 ms'],
  [formatMs, 999.6, '1.00 s'],
  [formatBytes, 999_400, '999 kB'],
  [formatBytes, 999_600, '1.0 MB'],
  [formatRate, 999_400, '999 kb/s'],
  [formatRate, 999_600, '1.0 Mb/s'],
])('%o tells %d in the unit in which it is less than a thousand', (format, value, expected) => expect(format(value)).toBe(expected));

it.each([
  [0, 'this minute', 'in dieser Minute'],
  [-HOUR, 'this minute', 'in dieser Minute'],
  [59 * MINUTE, '59 minutes ago', 'vor 59 Minuten'],
  [HOUR, '1 hour ago', 'vor 1 Stunde'],
  [23 * HOUR + 59 * MINUTE, '23 hours ago', 'vor 23 Stunden'],
  [DAY, 'yesterday', 'gestern'],
  [9 * DAY, '9 days ago', 'vor 9 Tagen'],
])('%d ms ago is told as %s', (ms, english, german) => {
  expect(formatAgo(ms)).toBe(english);
  vi.stubGlobal('chrome', { i18n: shippedTexts('de') });
  expect(formatAgo(ms)).toBe(german);
});

it('writes times, sizes and shares as the language does', async () => {
  vi.stubGlobal('chrome', { i18n: shippedTexts('de') });
  vi.resetModules();
  const german = await import('./format.ts');
  expect([german.formatSeconds(2_400), german.formatSeconds(400), german.formatMegabytes(1_340_000), german.formatPercent(0.2)]).toEqual(['2,4 s', '0,40 s', '1,3 MB', '20\u00a0%']);
});
