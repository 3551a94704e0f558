import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { HelperLink } from './helperLink.ts';
import { HistoryFollower } from './historyFollower.ts';

type Erased = (erasure: chrome.history.RemovedResult) => void;

let local: Record<string, unknown>;
let session: Record<string, unknown>;
let isStoreBroken: boolean;
/** Addresses that the browser's history has. */
let pages: string[];
let erased: Erased | null;
let permissionAdded: () => void;
let hasPermission: boolean;
let capabilities: string[];
/** Whether the helper answers; a promise for one that takes its time. */
let answers: boolean | Promise<boolean>;
let told: unknown[];
/** What the extension itself was to forget. */
let forgotten: (readonly string[] | null)[];
let follower: HistoryFollower;

const store = (items: () => Record<string, unknown>): object => ({
  get: (key: string) => (isStoreBroken ? Promise.reject(new Error('corrupted')) : Promise.resolve({ [key]: items()[key] })),
  set: (values: object) => (isStoreBroken ? Promise.reject(new Error('full')) : Promise.resolve(void Object.assign(items(), values))),
  remove: (key: string) => Promise.resolve(void Reflect.deleteProperty(items(), key)),
});

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  [local, session, isStoreBroken, pages, erased, permissionAdded, hasPermission, capabilities, answers, told, forgotten] = [{}, {}, false, ['https://kept.test/'], null, () => undefined, true, ['memoryList'], true, [], []];
  const history = {
    onVisitRemoved: { addListener: (listener: Erased) => (erased = listener), hasListener: (listener: Erased) => erased === listener },
    search: ({ text, startTime, maxResults }: chrome.history.HistoryQuery) => Promise.resolve(text === '' && startTime === 0 && maxResults === 1 ? pages.slice(0, 1) : []),
  };
  vi.stubGlobal('chrome', {
    storage: { local: store(() => local), session: store(() => session) },
    permissions: { onAdded: { addListener: (listener: () => void) => (permissionAdded = listener) }, onRemoved: { addListener: () => undefined } },
    get history() {
      return hasPermission ? history : undefined;
    },
  });
  start();
});

/** As a background script that has just begun. */
function start(): void {
  erased = null;
  const helper = {
    can: (capability: string) => capabilities.includes(capability),
    ask: async (type: string, payload: { urls: unknown }) => {
      told.push([type, payload.urls]);
      return (await answers) ? { pages: 1 } : null;
    },
  };
  follower = new HistoryFollower(helper as unknown as HelperLink, (urls) => (isStoreBroken ? Promise.reject(new Error('full')) : Promise.resolve(void forgotten.push(urls))));
  follower.follow();
}

const settled = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

async function erase(...urls: string[]): Promise<void> {
  erased?.({ allHistory: false, urls });
  await settled();
}

async function eraseAll(): Promise<void> {
  erased?.({ allHistory: true, urls: [] });
  await settled();
}

describe('with the permission, the helper hears of', () => {
  it('pages that are erased, without what it would not keep', async () => {
    await erase('https://a.test/x?q=secret', 'https://b.test/');
    expect(told).toEqual([['historyRemoved', ['https://a.test/x', 'https://b.test/']]]);
    expect([local, forgotten]).toEqual([{}, [['https://a.test/x?q=secret', 'https://b.test/']]]);
  });

  it('all, when all is erased', async () => {
    await eraseAll();
    expect([told, forgotten]).toEqual([[['historyRemoved', null]], [null]]);
  });

  it('nothing of what is no page of the web', async () => {
    await erase('file:///home/u/secret', 'about:blank');
    expect([told, local]).toEqual([[], {}]);
  });

  it('what is erased while it forgets, too', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    answers = promise;
    await erase('https://a.test/');
    await erase('https://b.test/');
    expect(told).toHaveLength(1);
    resolve(true);
    await settled();
    expect(told.slice(1)).toEqual([['historyRemoved', ['https://b.test/']]]);
    expect(local).toEqual({});
  });
});

describe('without the permission', () => {
  beforeEach(async () => {
    await settled();
    [hasPermission, local, session] = [false, {}, {}];
    start();
  });

  it('nothing is heard of, asked or stored', async () => {
    await settled();
    expect([erased, told, local, session, forgotten]).toEqual([null, [], {}, {}, []]);
  });

  it('is listened from the moment at which it is given, once', async () => {
    hasPermission = true;
    permissionAdded();
    permissionAdded();
    await erase('https://a.test/');
    expect(told).toEqual([['historyRemoved', ['https://a.test/']]]);
  });
});

describe('where the helper does not hear of it', () => {
  it.each([
    ['absent or too old', () => (capabilities = [])],
    ['silent, or can not write', () => (answers = false)],
  ])('as it is %s, it does when it can', async (_, spoil) => {
    spoil();
    await erase('https://a.test/secret');
    expect(forgotten).toEqual([['https://a.test/secret']]);
    expect(JSON.stringify(local)).toBe('{"historyOwed":true}');
    [capabilities, answers, told] = [['memoryList'], true, []];
    await follower.tell();
    expect([told, local]).toEqual([[['historyRemoved', ['https://a.test/secret']]], {}]);
    await follower.tell();
    expect(told).toHaveLength(1);
  });

  it.each([['', true], [', and the permission is taken back', false]])('and the background script ends meanwhile%s: all is forgotten, as nothing was stored of which pages they were', async (_, isLet) => {
    capabilities = [];
    await erase('https://a.test/secret');
    hasPermission = isLet;
    start();
    await settled();
    capabilities = ['memoryList'];
    await follower.tell();
    expect([told, local]).toEqual([[['historyRemoved', null]], {}]);
  });

  it('the next erasure of a background script that was woken by it is told of alone', async () => {
    start();
    await erase('https://a.test/');
    expect(told).toEqual([['historyRemoved', ['https://a.test/']]]);
  });
});

describe('a history that is empty when the browser starts', () => {
  beforeEach(async () => {
    await settled();
    [pages, session] = [[], {}];
    start();
  });

  it('was erased when it ended, or is never kept: all is forgotten, once', async () => {
    await settled();
    expect([told, local, forgotten]).toEqual([[['historyRemoved', null]], {}, [null]]);
    start();
    await settled();
    expect([told.length, forgotten.length]).toEqual([1, 1]);
  });
});

it('a history with a page is left alone', async () => {
  await settled();
  expect([told, session]).toEqual([[], { historyLookedAt: true }]);
});

it('without a store it goes on, by what it has in memory', async () => {
  isStoreBroken = true;
  start();
  await erase('https://a.test/');
  expect(told).toEqual([['historyRemoved', ['https://a.test/']]]);
});
