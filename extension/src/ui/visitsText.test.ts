import { beforeEach, expect, it, vi } from 'vitest';
import { shippedTexts } from './testing.ts';
import { visitsText } from './visitsText.ts';

beforeEach(() => vi.stubGlobal('chrome', { i18n: shippedTexts('en') }));

const KNOWN = { visits: 12, medianMs: 1_500, sinceDay: 1 };

it.each([
  [{ with: KNOWN, without: null }, 0, 'With Firstscreen: 1.5 s (median of 12).'],
  [{ with: KNOWN, without: { visits: 1, medianMs: 900, sinceDay: 1 } }, 2, 'With Firstscreen: 1.5 s (median of 12). Without: 0.90 s (median of 1). Results of measured pages: 2.'],
  [{ with: null, without: null }, 0, ''],
])('%j and %d results are told as: %s', (summary, measured, text) => expect(visitsText(summary, measured)).toBe(text));
