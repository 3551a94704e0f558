import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { timeFirstScreen } from './firstScreenTiming.ts';
import { LoadRecorder } from './loadRecorder.ts';

/** Tells what it is given; of all that were made, those that still listen. */
class FakeObserver {
  static readonly supportedEntryTypes = ['resource'];
  static readonly listening = new Set<FakeObserver>();
  readonly told: (list: { getEntries(): object[] }) => void;

  constructor(told: FakeObserver['told']) {
    this.told = told;
  }

  observe(): void {
    FakeObserver.listening.add(this);
  }

  disconnect(): void {
    FakeObserver.listening.delete(this);
  }

  takeRecords = (): object[] => [];
}

let page: EventTarget & { visibilityState: string };
beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: 'visible', readyState: 'loading', fonts: new EventTarget() });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('location', new URL('https://a.test/'));
  vi.stubGlobal('performance', { now: () => 0, getEntriesByType: () => [] });
  vi.stubGlobal('PerformanceObserver', FakeObserver);
});
afterEach(() => {
  vi.unstubAllGlobals();
  FakeObserver.listening.clear();
});

it.each([
  ['of a visit', false],
  ['that is measured', true],
])('a page %s that is never done is not followed on when it is out of sight', async (_, waitsForQuiet) => {
  const timing = timeFirstScreen(waitsForQuiet, () => new Promise(() => undefined));
  expect(FakeObserver.listening.size).toBe(1);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(await timing).toEqual({ outcome: 'void', reason: 'hidden' });
  expect(FakeObserver.listening.size).toBe(0);
});

it('a page that was opened out of sight is not followed', async () => {
  page.visibilityState = 'hidden';
  expect(await timeFirstScreen(false, () => new Promise(() => undefined))).toEqual({ outcome: 'void', reason: 'hidden' });
  expect(FakeObserver.listening.size).toBe(0);
});

it('of a page that asks for news for days no more is recorded than a load asks for', () => {
  const recorder = new LoadRecorder();
  const [observer] = FakeObserver.listening;
  for (let n = 0; n < 6_000; n += 1) observer?.told({ getEntries: () => [{ entryType: 'resource', name: `https://a.test/news?${n}`, responseEnd: n + 1, encodedBodySize: 1 }] });
  recorder.stop();
  expect([recorder.endsMs.size, recorder.bytes.size]).toEqual([5_000, 5_000]);
});
