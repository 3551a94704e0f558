import { describe, expect, it } from 'vitest';
import { cachedUntil } from './cachedUntil.ts';

const HOUR_MS = 3600 * 1000;
const NOON_MS = Date.parse('2026-11-01T12:00:00Z');
const TODAY = Date.parse('2026-11-01') / (24 * HOUR_MS);

describe('until when a browser is taken to have an object', () => {
  it.each<[string, number, number, ReturnType<typeof cachedUntil>]>([
    ['nothing', 0, 0, null],
    ['less than a day, though that ends tomorrow', 23, 23, null],
    ['a day', 24, 24, { keptDay: TODAY + 1, freshDay: TODAY + 1 }],
    ['a day and nearly another half', 35, 35, { keptDay: TODAY + 1, freshDay: TODAY + 1 }],
    ['a day and a half', 36, 36, { keptDay: TODAY + 2, freshDay: TODAY + 2 }],
    ['a week, to ask with a validator at once', 7 * 24, 0, { keptDay: TODAY + 7, freshDay: TODAY }],
  ])('%s', (_, keptHours, freshHours, expected) => expect(cachedUntil(NOON_MS, NOON_MS + keptHours * HOUR_MS, NOON_MS + freshHours * HOUR_MS)).toEqual(expected));
});
