import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lookOf, ToolbarIcon, type Outlook } from './toolbarIcon.ts';

/** In which what has changed is shown. */
const SHOWN_MS = 250;
const [TAB, OTHER] = [1, 2];
const WORKING = { tone: 'working', headline: 'ready' } as const;
const OFF_HERE = { tone: 'off', headline: 'offHere' } as const;
const OFF = { tone: 'off', headline: 'off' } as const;
const PAGE = { url: 'https://a.test/', isPrivate: false };

type Call = Readonly<Record<string, unknown>> & { readonly tabId?: number };

let ofAll: Outlook['ofAll'];
let pages: Map<number, Outlook['ofAll']>;
let tabs: Partial<chrome.tabs.Tab>[];
let stored: Record<string, unknown>;
/** What the browser was told, in order. */
let calls: [name: string, call: Call][];
let looks: number;
let icon: ToolbarIcon;

beforeEach(() => {
  vi.useFakeTimers();
  [ofAll, tabs, stored, calls, looks] = [WORKING, [], {}, [], 0];
  pages = new Map();
  const said = (name: string) => (call: Call): Promise<void> => {
    calls.push([name, call]);
    return call.tabId === OTHER ? Promise.reject(new Error('No tab with id')) : Promise.resolve();
  };
  vi.stubGlobal('chrome', {
    i18n: { getMessage: (key: string, of: readonly string[]) => [key, ...of].join(' ') },
    tabs: { query: () => Promise.resolve(tabs) },
    storage: { session: { get: () => Promise.resolve(stored), set: (items: object) => Promise.resolve(void Object.assign(stored, items)) } },
    action: Object.fromEntries(['setTitle', 'setIcon', 'setBadgeText', 'setBadgeBackgroundColor', 'setBadgeTextColor'].map((name) => [name, said(name)])),
  });
  icon = start();
});
afterEach(() => vi.useRealTimers());

function start(): ToolbarIcon {
  return new ToolbarIcon(() => {
    looks += 1;
    return Promise.resolve({ ofAll, of: (tabId) => pages.get(tabId) ?? ofAll });
  });
}

const shown = (): Promise<unknown> => vi.advanceTimersByTimeAsync(SHOWN_MS);
const titles = (): [number | undefined, unknown][] => calls.filter(([name]) => name === 'setTitle').map(([, { tabId, title }]) => [tabId, title]);

it.each([
  ['off, for all pages', OFF, true, { title: 'iconTitle off', badge: 'iconBadgeOff', isGrey: true }],
  ['off for this site', OFF_HERE, false, { title: 'iconTitle offHere', badge: '', isGrey: true }],
  ['a fault', { tone: 'fault', headline: 'noHelper' } as const, true, { title: 'iconTitle noHelper', badge: '!', isGrey: false }],
  ['at work', WORKING, true, { title: 'iconWorking', badge: '', isGrey: false }],
  ['standing aside', { tone: 'aside', headline: 'fastLink' } as const, true, { title: 'iconTitle fastLink', badge: '', isGrey: false }],
])('shows by its look that it is %s', (_, said, isOfAll, look) => expect(lookOf(said, isOfAll)).toEqual(look));

describe('the icon', () => {
  it('shows a burst of changes once, for all tabs at once', async () => {
    tabs = [{ id: TAB, ...PAGE }, { id: 7, url: 'https://b.test/' }];
    for (let i = 0; i < 9; i += 1) icon.changed();
    expect(calls).toEqual([]);
    await shown();
    expect(titles()).toEqual([[undefined, 'iconWorking']]);
    icon.changed();
    await shown();
    expect([titles().length, looks], 'nothing is another').toEqual([1, 2]);
  });

  it('is changed no more than four times a second', async () => {
    for (let ms = 0; ms < 1_000; ms += 10) {
      ofAll = ms % 20 === 0 ? OFF : WORKING;
      icon.changed();
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(titles().length).toBeLessThanOrEqual(4);
    await shown();
    expect(titles().at(-1)).toEqual([undefined, 'iconWorking']);
  });

  it('asks and says nothing of a page like all others', async () => {
    icon.changed();
    await shown();
    const before = calls.length;
    icon.pageChanged(TAB, PAGE);
    await shown();
    expect([calls.length, looks, stored]).toEqual([before, 1, {}]);
  });

  it('is another one in a tab whose site is off, again for each of its pages, as the browser forgets it, and as all others in the end', async () => {
    pages.set(TAB, OFF_HERE);
    icon.changed();
    icon.pageChanged(TAB, PAGE);
    await shown();
    icon.pageChanged(TAB, PAGE);
    await shown();
    pages.delete(TAB);
    icon.pageChanged(TAB, PAGE);
    await shown();
    icon.pageChanged(TAB, PAGE);
    await shown();
    expect(titles()).toEqual([[undefined, 'iconWorking'], [TAB, 'iconTitle offHere'], [TAB, 'iconTitle offHere'], [TAB, 'iconWorking']]);
    expect(calls.filter(([name]) => name === 'setIcon').map(([, { path }]) => path)).toEqual([expect.objectContaining({ 16: '/icons/16.png' }), ...Array.from({ length: 2 }, () => expect.objectContaining({ 16: '/icons/off-16.png' }) as object), expect.objectContaining({ 16: '/icons/16.png' })]);
  });

  it('follows in all tabs when the list of sites, or a setting, is another one', async () => {
    tabs = [{ id: TAB, ...PAGE }];
    icon.changed();
    await shown();
    pages.set(TAB, OFF_HERE);
    icon.changed();
    await shown();
    pages.delete(TAB);
    ofAll = OFF;
    icon.changed();
    await shown();
    expect(titles()).toEqual([[undefined, 'iconWorking'], [TAB, 'iconTitle offHere'], [undefined, 'iconTitle off'], [TAB, 'iconTitle off']]);
  });

  it('takes back what an earlier worker has given a tab', async () => {
    pages.set(TAB, OFF_HERE);
    icon.pageChanged(TAB, PAGE);
    await shown();
    expect(stored).toEqual({ iconTabs: [TAB] });
    pages.delete(TAB);
    tabs = [{ id: TAB, ...PAGE }];
    const later = start();
    later.changed();
    await shown();
    expect(titles().at(-1)).toEqual([TAB, 'iconWorking']);
    later.forgetTab(TAB);
    await shown();
    expect(stored).toEqual({ iconTabs: [] });
  });

  it('forgets a tab whose end has woken the worker', async () => {
    stored = { iconTabs: [TAB, 7] };
    start().forgetTab(TAB);
    await shown();
    expect(stored).toEqual({ iconTabs: [7] });
  });

  it('goes on when a tab is gone', async () => {
    pages.set(OTHER, OFF_HERE).set(TAB, OFF_HERE);
    icon.pageChanged(OTHER, PAGE);
    icon.pageChanged(TAB, PAGE);
    await shown();
    expect(titles().at(-1)).toEqual([TAB, 'iconTitle offHere']);
  });
});
