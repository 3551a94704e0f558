import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HoldingTabs } from './holdingTabs.ts';

const TAB = 7;
const OTHER_TAB = 8;

describe('HoldingTabs', () => {
  let full: boolean;
  let held: Set<number>;
  let changes: number[];
  let holding: HoldingTabs;
  beforeEach(() => {
    full = false;
    held = new Set();
    changes = [];
    holding = new HoldingTabs({ isLinkFull: () => full, hasRoom: () => !full, hasHeld: (tabId) => held.has(tabId), changed: (tabId) => changes.push(tabId) });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const fill = (tabId: number): void => {
    full = true;
    holding.requested(tabId);
  };

  it('lets pass while the link has room', () => {
    holding.requested(TAB);
    expect([...holding.tabs]).toEqual([]);
    expect(changes).toEqual([]);
  });

  it('holds in the tab that asks for more than the link has room for, and says so once', () => {
    fill(TAB);
    holding.requested(TAB);
    expect([...holding.tabs]).toEqual([TAB]);
    expect(changes).toEqual([TAB]);
  });

  it('goes on holding while the link is full', () => {
    fill(TAB);
    holding.eased(TAB);
    expect([...holding.tabs]).toEqual([TAB]);
  });

  it('goes on holding while something is held: what is asked for now may have to wait for it', () => {
    fill(TAB);
    held.add(TAB);
    full = false;
    holding.eased(TAB);
    expect([...holding.tabs]).toEqual([TAB]);
  });

  it('lets pass again when the link has room and nothing is held', () => {
    fill(TAB);
    full = false;
    holding.eased(TAB);
    expect([...holding.tabs]).toEqual([]);
    expect(changes).toEqual([TAB, TAB]);
  });

  it('holds from the start of a page until it is parsed and the link has room', () => {
    holding.navigated(TAB);
    holding.eased(TAB);
    expect([...holding.tabs], 'not parsed').toEqual([TAB]);
    full = true;
    holding.parsed(TAB);
    expect([...holding.tabs], 'full').toEqual([TAB]);
    full = false;
    holding.eased(TAB);
    expect([...holding.tabs]).toEqual([]);
  });

  it('waits no more than ten seconds for a page to be parsed, which the next page in the tab does not pay for', () => {
    vi.useFakeTimers();
    holding.navigated(TAB);
    vi.advanceTimersByTime(9_000);
    holding.navigated(TAB);
    vi.advanceTimersByTime(9_000);
    holding.eased(TAB);
    expect([...holding.tabs]).toEqual([TAB]);
    vi.advanceTimersByTime(1_000);
    expect([...holding.tabs]).toEqual([]);
  });

  it('knows tabs apart, and forgets one that is closed', () => {
    fill(TAB);
    fill(OTHER_TAB);
    holding.closed(TAB);
    expect([...holding.tabs]).toEqual([OTHER_TAB]);
    holding.closed(TAB);
    expect(changes).toEqual([TAB, OTHER_TAB, TAB]);
  });

  it('forgets all when it is told that nothing is held, and waits for no page to be parsed', () => {
    vi.useFakeTimers();
    fill(TAB);
    holding.navigated(OTHER_TAB);
    holding.clear();
    expect([...holding.tabs]).toEqual([]);
    changes.length = 0;
    vi.advanceTimersByTime(20_000);
    expect(changes).toEqual([]);
  });
});
