import { beforeEach, expect, it, vi } from 'vitest';
import { formatBytes, formatMs, formatRate } from './format.ts';

beforeEach(() => vi.stubGlobal('chrome', { i18n: { getMessage: (key: string) => (key === 'language' ? 'en' : ''), getUILanguage: () => 'en' } }));

it.each([
  [formatMs, 999.4, '999 ms'],
  [formatMs, 999.6, '1.00 s'],
  [formatBytes, 999_400, '999 kB'],
  [formatBytes, 999_600, '1.0 MB'],
  [formatRate, 999_400, '999 kb/s'],
  [formatRate, 999_600, '1.0 Mb/s'],
])('%o tells %d in the unit in which it is less than a thousand', (format, value, expected) => expect(format(value)).toBe(expected));
