import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MovingTimer } from './movingTimer.ts';

let called: number[];
let timer: MovingTimer;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  called = [];
  timer = new MovingTimer(() => void called.push(performance.now()));
});
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): unknown => vi.advanceTimersByTime(ms);
const startMs = (): number => performance.now();

it('calls once at a moment that has moved on again and again, and sets no timer for each move', () => {
  const set = vi.spyOn(globalThis, 'setTimeout');
  const beganMs = startMs();
  timer.set(beganMs + 100);
  for (let moved = 1; moved <= 50; moved += 1) timer.set(beganMs + 100 + moved);
  expect(set).toHaveBeenCalledTimes(1);
  pass(149);
  expect(called).toEqual([]);
  pass(1_000);
  expect(called).toEqual([beganMs + 150]);
  set.mockRestore();
});

it('calls sooner where the moment has moved so', () => {
  const beganMs = startMs();
  timer.set(beganMs + 100);
  timer.set(beganMs + 10);
  pass(10);
  expect(called).toEqual([beganMs + 10]);
  pass(1_000);
  expect(called).toHaveLength(1);
});

it('calls at the next moment after one, and never where there is none, or it is closed', () => {
  const beganMs = startMs();
  timer.set(beganMs + 10);
  pass(20);
  timer.set(beganMs + 30);
  pass(20);
  expect(called).toEqual([beganMs + 10, beganMs + 30]);
  timer.set(beganMs + 60);
  timer.set(null);
  pass(100);
  timer.set(startMs() + 10);
  timer.close();
  timer.set(startMs() + 20);
  pass(1_000);
  expect(called).toHaveLength(2);
});
