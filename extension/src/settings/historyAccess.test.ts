import { beforeEach, expect, it, vi } from 'vitest';
import { giveUpHistoryAccess, hasHistoryAccess, mayHaveHistoryAccess, requestHistoryAccess, watchHistoryAccess } from './historyAccess.ts';

let granted: Set<string>;
let listeners: (() => void)[];
let os: string;
beforeEach(() => {
  [granted, listeners, os] = [new Set(), [], 'linux'];
  const event = { addListener: (listener: () => void) => listeners.push(listener) };
  const each = (act: (name: string) => unknown) => ({ permissions }: { permissions: string[] }) => Promise.resolve(permissions.every(act));
  vi.stubGlobal('chrome', {
    runtime: { getPlatformInfo: () => Promise.resolve({ os }) },
    permissions: { contains: each((name) => granted.has(name)), request: each((name) => granted.add(name)), remove: each((name) => granted.delete(name)), onAdded: event, onRemoved: event },
  });
});

it('is the permission for the history and no other one', async () => {
  expect(await hasHistoryAccess()).toBe(false);
  expect(await requestHistoryAccess()).toBe(true);
  expect([[...granted], await hasHistoryAccess()]).toEqual([['history'], true]);
  expect(await giveUpHistoryAccess()).toBe(true);
  expect(await hasHistoryAccess()).toBe(false);
});

it('is asked for nowhere on Android, whose Firefox takes the question for an error', async () => {
  os = 'android';
  chrome.permissions.contains = () => Promise.reject(new TypeError('no such permission'));
  expect([await mayHaveHistoryAccess(), await hasHistoryAccess()]).toEqual([false, false]);
});

it('is heard of when it is given and taken back', () => {
  let times = 0;
  watchHistoryAccess(() => (times += 1));
  for (const changed of listeners) changed();
  expect(times).toBe(2);
});
