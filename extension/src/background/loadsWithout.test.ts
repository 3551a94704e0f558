import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { LoadsWithout, PAUSE_MS } from './loadsWithout.ts';

const [TAB, OTHER] = [1, 2];

let loads: LoadsWithout;
beforeEach(() => {
  loads = new LoadsWithout();
});

it('is of the page that the tab asks for next, with its redirects, and not of the one after it', () => {
  loads.ask(TAB, 0);
  expect(loads.has(TAB), 'what is shown until then is let go too').toBe(true);
  expect([loads.navigated(TAB, false), loads.has(TAB)]).toEqual([false, true]);
  expect([loads.navigated(TAB, true), loads.has(TAB)]).toEqual([false, true]);
  expect([loads.navigated(TAB, false), loads.has(TAB)]).toEqual([true, false]);
  expect([loads.navigated(TAB, false), loads.has(TAB)]).toEqual([false, false]);
});

it('is not of a page that comes without being asked for, out of the back/forward cache', () => {
  loads.ask(TAB, 0);
  expect([loads.shown(TAB, 'before'), loads.has(TAB)], 'which is still shown').toEqual([false, true]);
  loads.navigated(TAB, false);
  expect([loads.shown(TAB, 'without'), loads.shown(OTHER, 'other'), loads.shown(TAB, 'without'), loads.has(TAB)]).toEqual([false, false, false, true]);
  expect([loads.shown(TAB, 'before'), loads.has(TAB), loads.shown(TAB, 'before')]).toEqual([true, false, false]);
});

it('is of this tab alone', () => {
  loads.ask(TAB, 0);
  loads.navigated(OTHER, false);
  loads.navigated(OTHER, false);
  expect([loads.has(TAB), loads.has(OTHER)]).toEqual([true, false]);
});

it('can be asked for again, also of the page that it is of', () => {
  loads.ask(TAB, 0);
  loads.navigated(TAB, false);
  loads.ask(TAB, 5);
  expect(loads.navigated(TAB, false)).toBe(false);
  expect(loads.has(TAB)).toBe(true);
});

it('goes with its tab', () => {
  loads.ask(TAB, 0);
  expect([loads.forgetTab(TAB), loads.has(TAB), loads.forgetTab(TAB)]).toEqual([true, false, false]);
});

it('has requests of all tabs go by the browser for a while, and no longer, though the page stays', () => {
  expect(loads.isPausing(0)).toBe(false);
  loads.ask(TAB, 10);
  expect([loads.isPausing(10), loads.isPausing(PAUSE_MS + 9), loads.isPausing(PAUSE_MS + 10)]).toEqual([true, true, false]);
  loads.ask(OTHER, 1_000);
  loads.forgetTab(TAB);
  expect([loads.isPausing(PAUSE_MS + 999), loads.isPausing(PAUSE_MS + 1_000)]).toEqual([true, false]);
  expect(loads.has(OTHER)).toBe(true);
});

it('whatever happens, nothing is left of it two pages later, and a tab that nobody asked it for never has it', () => {
  const step = fc.record({ tabId: fc.constantFrom(TAB, OTHER), isRedirected: fc.boolean(), asks: fc.boolean(), nowMs: fc.integer({ min: 0, max: 1_000_000 }) });
  fc.assert(fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    const some = new LoadsWithout();
    const asked = new Set<number>();
    for (const { tabId, isRedirected, asks, nowMs } of steps) {
      if (asks) {
        some.ask(tabId, nowMs);
        asked.add(tabId);
      } else some.navigated(tabId, isRedirected);
      for (const each of [TAB, OTHER]) if (!asked.has(each)) expect(some.has(each)).toBe(false);
    }
    for (const each of [TAB, OTHER]) {
      some.navigated(each, false);
      some.navigated(each, false);
      expect(some.has(each)).toBe(false);
    }
    expect(some.isPausing(0)).toBe(false);
  }));
});
