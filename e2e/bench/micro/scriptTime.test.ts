import { expect, it } from 'vitest';
import { scriptTimeMs, type TraceEvent } from './scriptTime.ts';

const isOurs = (url: string): boolean => url === 'ours.js';

function call(ts: number, dur: number, url: string, more: Partial<TraceEvent> = {}): TraceEvent {
  return { name: 'FunctionCall', ph: 'X', pid: 1, tid: 1, ts, dur, tdur: dur / 2, args: { data: { url } }, ...more };
}

it('sums the processor time of our entries, those inside of others once', () => {
  const events = [call(100, 2000, 'ours.js'), call(500, 1000, 'ours.js'), call(3000, 4000, 'page.js'), call(9000, 2000, 'ours.js', { name: 'EvaluateScript' })];
  expect(scriptTimeMs(events, isOurs)).toBe(2);
});

it('keeps threads apart', () => {
  expect(scriptTimeMs([call(100, 2000, 'ours.js'), call(500, 1000, 'ours.js', { tid: 2 })], isOurs)).toBe(1.5);
});

it('counts no other events and no other scripts', () => {
  expect(scriptTimeMs([call(0, 100, 'ours.js', { name: 'Layout' }), call(0, 100, 'page.js'), call(0, 100, 'ours.js', { ph: 'B' })], isOurs)).toBe(0);
});
