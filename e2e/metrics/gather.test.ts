import { expect, it } from 'vitest';
import { gather } from './gather.ts';
import type { MeasuredPage } from './measuredPage.ts';
import type { HostingControl, LinkControl } from './testbed.ts';
import { monotonicMs } from './wallClock.ts';

const RTT_MS = 50;
const IDLE_MS = 10_000;

it('begins when the ends of former connections have come, also of those from a page of which it is told nothing', async () => {
  const closedMs: number[] = [];
  const enteredMs: number[] = [];
  const page = {
    record: () => Promise.resolve(),
    evaluate: () => Promise.resolve(0),
    navigate: () => {
      enteredMs.push(monotonicMs());
      return Promise.reject(new Error('no page'));
    },
  } as Partial<MeasuredPage> as MeasuredPage;
  const link = { idleMs: () => Promise.resolve(IDLE_MS), reset: () => Promise.resolve() } as Partial<LinkControl> as LinkControl;
  const hosting = {
    reset: () => {
      closedMs.push(monotonicMs());
      return Promise.resolve();
    },
  } as Partial<HostingControl> as HostingControl;

  const task = {
    entryUrl: 'http://a.test/', link: null, earlier: [], viewport: { width: 800, height: 600 }, rttMs: RTT_MS, isLossy: false, hasRelay: false, timeoutMs: 1_000, signal: new AbortController().signal,
  };
  await expect(gather(page, link, hosting, task)).rejects.toThrow('no page');

  // a timer may fire up to a millisecond early
  expect((enteredMs[0] ?? 0) - (closedMs[0] ?? Infinity)).toBeGreaterThanOrEqual(2 * RTT_MS - 1);
});
