import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FirstScreenTiming } from '../../../../shared/src/protocol/firstScreenTimingSchema.ts';
import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import type { Measurement } from '../../messages/measuring.ts';
import { Measuring, type Influence } from './measuring.ts';
import { FakeRequestEvent } from '../testing.ts';

const URL = 'https://a.test/';
const TAB = 3;
/** What the network takes to rest, with what a tick takes to notice it. */
const REST_MS = 2_500;
const SEEN: FirstScreenTiming = { outcome: 'measured', isrtMs: 1_000, fcpMs: 500, lcpMs: 900, needed: [] };

/** A browser as far as measurements use it. */
class FakeBrowser {
  inForce: Influence | null = null;
  readonly loads: (Influence | null)[] = [];
  readonly open = new Set<number>();
  kept: Measurement | null = null;
  isSeen = true;
  canApply = true;
  /** A promise where that takes its time. */
  canBeginCold: boolean | Promise<boolean> = true;
  /** How often connections were closed. */
  closings = 0;
  measuring: Measuring;
  private scripts = 0;

  constructor() {
    this.measuring = this.script();
  }

  /** A background script; one that has ended does nothing any more. */
  script(): Measuring {
    this.scripts += 1;
    const mine = this.scripts;
    const ifAlive = <T>(act: () => T | Promise<T>): Promise<T> => (mine === this.scripts ? Promise.resolve(act()) : Promise.withResolvers<T>().promise);
    const measuring = new Measuring({
      random: seededRandom(1),
      now: () => Date.now(),
      apply: () => ifAlive(() => {
        this.inForce = measuring.influence;
        return this.canApply;
      }),
      open: () => ifAlive(() => {
        this.open.add(TAB);
        return TAB;
      }),
      coldStart: () => ifAlive(() => {
        this.closings += 1;
        return this.canBeginCold;
      }),
      reload: () => ifAlive(() => void this.loads.push(this.inForce)),
      close: (tabId) => ifAlive(() => void this.open.delete(tabId)),
      isSeen: () => ifAlive(() => this.isSeen),
      keep: (measurement) => (this.kept = structuredClone(measurement)),
      changed: () => undefined,
    });
    return measuring;
  }

  /** The script is ended, and another one begins as start.ts does: with what was kept, and the user's settings until then. */
  restart(): void {
    vi.clearAllTimers();
    this.inForce = null;
    this.measuring = this.script();
    if (this.kept !== null) this.measuring.restore(this.kept);
  }

  async answer(timing = SEEN): Promise<void> {
    await vi.advanceTimersByTimeAsync(REST_MS);
    const load = this.measuring.askedOf(TAB);
    if (load !== null) this.measuring.measured(TAB, URL, load, timing);
  }
}

let browser: FakeBrowser;
let webRequest: Record<'onBeforeRequest' | 'onCompleted' | 'onErrorOccurred', FakeRequestEvent>;
beforeEach(() => {
  vi.useFakeTimers();
  webRequest = { onBeforeRequest: new FakeRequestEvent(), onCompleted: new FakeRequestEvent(), onErrorOccurred: new FakeRequestEvent() };
  vi.stubGlobal('chrome', { webRequest });
  browser = new FakeBrowser();
});
afterEach(() => vi.useRealTimers());

describe('making a measurement', () => {
  it('makes each load with what its side wants, in a tab of its own, and puts all back', async () => {
    browser.measuring.start(URL, { pairs: 2, visit: 'first', isCold: false }, false);
    for (let load = 0; load < 5; load += 1) await browser.answer();
    await vi.advanceTimersByTimeAsync(REST_MS);
    const { phase, plan, counted } = browser.measuring.measurement!;
    expect(phase).toEqual({ name: 'ended', why: 'complete' });
    expect(browser.loads).toEqual(plan.map(({ side }) => ({ side, usesMemory: false })));
    expect(counted).toHaveLength(4);
    expect([browser.inForce, browser.open.size, vi.getTimerCount()]).toEqual([null, 0, 0]);
  });

  it('uses the memory only for a second visit', async () => {
    browser.measuring.start(URL, { pairs: 1, visit: 'second', isCold: false }, false);
    await browser.answer();
    expect(browser.loads[0]).toEqual({ side: 'with', usesMemory: true });
  });

  it('closes connections before each load where that is wanted, and makes none that would begin with some', async () => {
    browser.measuring.start(URL, { pairs: 2, visit: 'first', isCold: true }, false);
    for (let load = 0; load < 2; load += 1) await browser.answer();
    expect([browser.closings, browser.loads.length]).toEqual([2, 2]);
    browser.canBeginCold = false;
    for (let load = 0; load < 5; load += 1) await browser.answer();
    expect(browser.loads).toHaveLength(2);
    expect(browser.measuring.measurement).toMatchObject({ phase: { why: 'unmeasurable' }, counted: [{}], dropped: [{ reason: 'first' }, ...Array.from({ length: 4 }, () => ({ reason: 'warm' }))] });
  });

  it('loads nothing when it is ended while connections are closed', async () => {
    browser.measuring.start(URL, { pairs: 1, visit: 'first', isCold: true }, false);
    const closing = Promise.withResolvers<boolean>();
    browser.canBeginCold = closing.promise;
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(browser.closings).toBe(1);
    browser.measuring.end('cancelled');
    closing.resolve(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(browser.loads).toEqual([]);
  });

  it('does not begin a second one beside one, and one after it', async () => {
    browser.measuring.start(URL, { pairs: 1, visit: 'first', isCold: false }, false);
    await vi.advanceTimersByTimeAsync(10);
    browser.measuring.start('https://b.test/', { pairs: 1, visit: 'first', isCold: false }, false);
    expect(browser.measuring.measurement?.url).toBe(URL);
    browser.measuring.end('cancelled');
    browser.measuring.start('https://b.test/', { pairs: 1, visit: 'first', isCold: false }, false);
    expect(browser.measuring.measurement?.url).toBe('https://b.test/');
  });

  it('goes on in the next background script when one has ended in its middle', async () => {
    browser.measuring.start(URL, { pairs: 1, visit: 'first', isCold: false }, false);
    await browser.answer();
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect(browser.measuring.askedOf(TAB)).toBe(2);
    browser.restart();
    for (let load = 0; load < 2; load += 1) await browser.answer();
    expect(browser.measuring.measurement).toMatchObject({ phase: { name: 'ended', why: 'complete' }, dropped: [{ reason: 'first' }, { load: 2, reason: 'scriptEnded' }] });
    await vi.advanceTimersByTimeAsync(0);
    expect(browser.inForce).toBeNull();
  });

  it('waits for what the first screen needed and its page could not time: images of styles of other servers', async () => {
    const [timed, untimed] = ['https://b.test/shown.jpg', 'https://b.test/icons.png'];
    const came = (requestId: string, url: string, fromMs: number, toMs: number, type = 'image'): void => {
      const details = { requestId, url, tabId: TAB, type, method: 'GET', statusCode: 200 };
      webRequest.onBeforeRequest.fire({ ...details, timeStamp: fromMs });
      webRequest.onCompleted.fire({ ...details, timeStamp: toMs });
    };
    browser.measuring.start(URL, { pairs: 1, visit: 'first', isCold: false }, false);
    await browser.answer();
    await vi.advanceTimersByTimeAsync(REST_MS);
    const startMs = Date.now();
    came('1', URL, startMs, startMs + 100, 'main_frame');
    came('2', timed, startMs + 200, startMs + 5_000);
    came('3', untimed, startMs + 200, startMs + 1_300);
    browser.measuring.measured(TAB, URL, 2, { ...SEEN, needed: [{ url: timed, bytes: 0, isTimed: true }, { url: untimed, bytes: 0, isTimed: false }] });
    expect(browser.measuring.measurement?.counted).toMatchObject([{ load: 2, isrtMs: 1_300 }]);
  });

  it('times no document of another tab, and hears none', async () => {
    browser.measuring.start(URL, { pairs: 1, visit: 'first', isCold: false }, false);
    await vi.advanceTimersByTimeAsync(REST_MS);
    expect([browser.measuring.askedOf(TAB), browser.measuring.askedOf(TAB + 1)]).toEqual([1, null]);
    browser.measuring.measured(TAB + 1, URL, 1, SEEN);
    expect(browser.measuring.measurement?.phase.name).toBe('loading');
  });
});

it('whatever happens, what the user has set is in force when it is over, and nothing runs on', async () => {
  const happening = fc.constantFrom('answer', 'answer', 'answer', 'hide', 'show', 'refuse', 'obey', 'warm', 'cold', 'restart', 'close', 'wait', 'cancel', 'allow');
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 25 }), fc.boolean(), fc.boolean(), async (happenings, asks, isCold) => {
      browser = new FakeBrowser();
      browser.measuring.start(URL, { pairs: 3, visit: 'first', isCold }, asks);
      for (const what of happenings) {
        if (what === 'answer') await browser.answer();
        else if (what === 'hide' || what === 'show') browser.isSeen = what === 'show';
        else if (what === 'refuse' || what === 'obey') browser.canApply = what === 'obey';
        else if (what === 'warm' || what === 'cold') browser.canBeginCold = what === 'cold';
        else if (what === 'restart') browser.restart();
        else if (what === 'close') browser.measuring.tabRemoved(TAB);
        else if (what === 'cancel') browser.measuring.end('cancelled');
        else if (what === 'allow') browser.measuring.allow();
        else await vi.advanceTimersByTimeAsync(200_000);
        await vi.advanceTimersByTimeAsync(0);
        expect(browser.inForce).toEqual(browser.measuring.influence);
      }
      browser.measuring.end('cancelled');
      await vi.advanceTimersByTimeAsync(0);
      expect([browser.measuring.isRunning, browser.inForce, vi.getTimerCount()]).toEqual([false, null, 0]);
    }),
    { numRuns: 60 },
  );
});
