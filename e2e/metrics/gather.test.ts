import { describe, expect, it } from 'vitest';
import { gather, type LoadTask } from './gather.ts';
import type { MeasuredPage } from './measuredPage.ts';
import type { HostingControl, LinkControl } from './testbed.ts';
import { monotonicMs } from './wallClock.ts';

const RTT_MS = 50;
const IDLE_MS = 10_000;

describe('what comes before a load', () => {
  /** What was done, in order, until the page was entered. */
  const stepsOf = async (link: LoadTask['link']): Promise<readonly { readonly step: string; readonly atMs: number }[]> => {
    const steps: { step: string; atMs: number }[] = [];
    const does = (step: string) => (): Promise<void> => {
      steps.push({ step, atMs: monotonicMs() });
      return Promise.resolve();
    };
    const enters = (step: string) => async (): Promise<never> => {
      await does(step)();
      throw new Error('no page');
    };
    const page: Partial<MeasuredPage> = {
      record: does('record'), evaluate: does('evaluate'), navigate: enters('navigate'),
      pointer: { move: does('move'), down: enters('down'), up: does('up') },
    };
    const linkControl: Partial<LinkControl> = { idleMs: () => Promise.resolve(IDLE_MS), reset: does('forget') };
    const hosting: Partial<HostingControl> = { reset: does('close') };
    const task: LoadTask = {
      entryUrl: 'http://a.test/', link, earlier: [], viewport: { width: 800, height: 600 }, rttMs: RTT_MS, isLossy: false, hasRelay: false, timeoutMs: 1_000, signal: new AbortController().signal,
    };
    await expect(gather(page as MeasuredPage, linkControl as LinkControl, hosting as HostingControl, task)).rejects.toThrow('no page');
    return steps;
  };

  it('are the ends of former connections, also of those from a page of which it is told nothing', async () => {
    const steps = await stepsOf(null);
    expect(steps.map(({ step }) => step)).toEqual(['record', 'close', 'forget', 'evaluate', 'navigate']);
    const [, closed, forgotten] = steps;
    // a timer may fire up to a millisecond early
    expect((forgotten?.atMs ?? 0) - (closed?.atMs ?? Infinity)).toBeGreaterThanOrEqual(2 * RTT_MS - 1);
  });

  it('is all done before the pointer rests on a link, but the press', async () => {
    const steps = await stepsOf({ url: 'http://a.test/2', x: 1, y: 1 });
    expect(steps.map(({ step }) => step)).toEqual(['record', 'evaluate', 'move', 'down']);
  });
});
