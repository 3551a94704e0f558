import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Pace } from './pace.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('lets a job wait in proportion to what its last run has cost', () => {
  const pace = new Pace(0.1);
  expect(pace.waitMs()).toBe(0);
  pace.run(() => vi.advanceTimersByTime(3));
  expect(pace.waitMs()).toBeCloseTo(30);
  vi.advanceTimersByTime(20);
  expect(pace.waitMs()).toBeCloseTo(10);
  vi.advanceTimersByTime(20);
  expect(pace.waitMs()).toBe(0);
});

it('counts a run that fails', () => {
  const pace = new Pace(0.5);
  expect(() =>
    pace.run(() => {
      vi.advanceTimersByTime(4);
      throw new Error('no layout');
    }),
  ).toThrow('no layout');
  expect(pace.waitMs()).toBeCloseTo(8);
});
