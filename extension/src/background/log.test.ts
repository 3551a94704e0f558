import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { log, loggedCodes } from './log.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
});
afterEach(() => vi.useRealTimers());

it('codes are counted, and the last one comes first', () => {
  expect(loggedCodes()).toEqual([]);
  log('warn', 'helper', 'E_HELPER_TIMEOUT', 'once');
  vi.advanceTimersByTime(5);
  log('info', 'helper', 'E_HELPER_UNAVAILABLE', 'gone');
  vi.advanceTimersByTime(5);
  log('warn', 'helper', 'E_HELPER_TIMEOUT', 'again');
  expect(loggedCodes()).toEqual([{ code: 'E_HELPER_TIMEOUT', count: 2, lastMs: 1_010 }, { code: 'E_HELPER_UNAVAILABLE', count: 1, lastMs: 1_005 }]);
});
