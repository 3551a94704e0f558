import { expect, it, vi } from 'vitest';
import { DOCUMENT_PORT, type PointedLink } from '../../../shared/src/protocol/content.ts';
import { acceptDocuments, type Timings } from './documentPorts.ts';
import type { ContentScript, Documents } from './documents.ts';
import type { TabOwner } from './ordinaryTab.ts';

const TIMING = { outcome: 'measured', isrtMs: 900, fcpMs: 300, lcpMs: null, needed: [] };

type Listener = (value: unknown) => void;

/** What else there is about a content script. */
interface Said {
  readonly pointed?: PointedLink;
  readonly sender?: Partial<chrome.runtime.MessageSender>;
  readonly mayRemember?: boolean;
  /** What its page is asked to measure. */
  readonly asked?: ReturnType<Timings['asked']>;
  readonly said?: readonly unknown[];
}

/** Connects a content script, which says what its page needed. */
function connect(owner: TabOwner & { readonly url?: string }, frameId = 0, { pointed, sender, mayRemember = true, asked = null, said = [] }: Said = {}): { connected: ContentScript[]; learnt: string[]; sent: unknown[]; links: string[]; inspected: string[]; timed: unknown[]; close: () => void } {
  const [connected, learnt, sent, links, inspected, timed]: [ContentScript[], string[], unknown[], string[], string[], unknown[]] = [[], [], [], [], [], []];
  let connects: Listener = () => undefined;
  let says: Listener = () => undefined;
  let close = (): void => undefined;
  vi.stubGlobal('chrome', { runtime: { onConnect: { addListener: (listener: Listener) => (connects = listener) } } });
  const documents: Pick<Documents, 'connected' | 'disconnected'> = { connected: (_, content) => connected.push(content), disconnected: () => undefined };
  acceptDocuments(
    documents as Documents,
    { mayRemember: () => mayRemember, learn: (_, url) => learnt.push(url) },
    { connected: () => () => undefined, pointed: ({ url }) => links.push(url) },
    { connected: () => () => undefined, said: (_, { type }) => inspected.push(type) },
    { asked: () => asked, measured: (...told) => timed.push(told) },
  );
  connects({
    name: DOCUMENT_PORT,
    sender: { tab: { id: 1, ...owner }, frameId, url: 'https://a.test/', documentId: 'd', ...sender },
    onDisconnect: { addListener: (listener: () => void) => (close = listener) },
    onMessage: { addListener: (listener: Listener) => (says = listener) },
    postMessage: (message: unknown) => sent.push(message),
  });
  says({ type: 'inspected', objects: [], origins: [] });
  says({ type: 'needed', objects: [{ url: 'https://a.test/a.png', kind: 'image' }], origins: ['https://a.test'] });
  if (pointed !== undefined) says({ type: 'pointed', ...pointed });
  for (const message of said) says(message);
  return { connected, learnt, sent, links, inspected, timed, close };
}

it('why a port was closed is read: Chromium tells of it as an error otherwise', () => {
  const { close } = connect({ incognito: false });
  const lastError = vi.fn();
  Object.defineProperty(chrome.runtime, 'lastError', { get: lastError });
  close();
  expect(lastError).toHaveBeenCalledOnce();
});

it.each<[string, TabOwner, boolean]>([
  ['a tab', { incognito: false }, false],
  ['a tab of Firefox outside of containers', { incognito: false, cookieStoreId: 'firefox-default' }, false],
  ['a private window', { incognito: true }, true],
  ['a container', { incognito: false, cookieStoreId: 'firefox-container-1' }, true],
])('%s is known as what it is, and the helper learns of ordinary tabs alone', (_, owner, isPrivate) => {
  const { connected, learnt, sent } = connect(owner);
  expect(connected).toEqual([expect.objectContaining({ tabId: 1, isPage: true, isPrivate })]);
  expect(sent).toEqual(isPrivate ? [] : [{ type: 'learn' }]);
  expect(learnt).toEqual(isPrivate ? [] : ['https://a.test/']);
});

it.each<[string, TabOwner, number, string[]]>([
  ['an ordinary page', { incognito: false }, 0, ['inspected', 'needed']],
  ['a page of a private window', { incognito: true }, 0, ['inspected', 'needed']],
  ['a frame', { incognito: false }, 1, []],
])('a panel hears of %s', (_, owner, frameId, types) => expect(connect(owner, frameId).inspected).toEqual(types));

it.each(['about:blank', 'blob:https://a.test/0b5d3f0e-2f8e-4c58-9d0e-0c8b4f8f7a11'])('nothing is asked or heard of a page that a script has made: %s', (url) => {
  const pointed: PointedLink = { page: url, url: 'https://a.test/next', isLikely: true, referrerPolicy: null };
  const { connected, learnt, sent, links, timed } = connect({ incognito: false }, 0, { sender: { url }, pointed, asked: { load: 0, waitsForQuiet: false }, said: [{ type: 'measured', load: 0, timing: TIMING }] });
  expect([learnt, sent, links, timed]).toEqual([[], [], [], []]);
  expect(connected).toEqual([expect.objectContaining({ isPage: true })]);
});

it('the helper learns nothing of frames', () => {
  const { connected, learnt } = connect({ incognito: false }, 1);
  expect(connected).toEqual([expect.objectContaining({ isPage: false })]);
  expect(learnt).toEqual([]);
});

it.each<[string, TabOwner, number, string, number]>([
  ['of an ordinary tab', { incognito: false }, 0, 'https://a.test/now', 1],
  ['of a frame', { incognito: false }, 1, 'https://a.test/now', 0],
  ['of a private window', { incognito: true }, 0, 'https://a.test/now', 0],
  ['of a container', { incognito: false, cookieStoreId: 'firefox-container-1' }, 0, 'https://a.test/now', 0],
  ['that names a page of another origin than its own', { incognito: false }, 0, 'https://b.test/', 0],
])('a link that the pointer is on is heard of %s, or not', (_, owner, frameId, page, count) => {
  expect(connect(owner, frameId, { pointed: { page, url: 'https://a.test/next', isLikely: true, referrerPolicy: null } }).links).toHaveLength(count);
});

it('the helper learns nothing of a page that it is not to remember', () => {
  expect(connect({ incognito: false }, 0, { mayRemember: false })).toMatchObject({ learnt: [], sent: [] });
});

it.each<[string, string | undefined, number, Partial<chrome.runtime.MessageSender>, string | null]>([
  ['the page itself', 'https://before.test/', 0, {}, 'https://a.test/'],
  ['a frame', 'https://page.test/', 3, {}, 'https://page.test/'],
  ['a frame of a tab that is not told of', undefined, 3, {}, null],
  ['a page that the tab does not show yet', 'https://before.test/', 3, { documentLifecycle: 'prerender' }, 'https://a.test/'],
])('a document is known as one of its page: %s', (_, tabUrl, frameId, sender, page) => {
  expect(connect({ incognito: false, ...(tabUrl !== undefined && { url: tabUrl }) }, frameId, { sender }).connected).toEqual([expect.objectContaining({ page })]);
});

it.each<[string, TabOwner, number, boolean]>([
  ['an ordinary tab', { incognito: false }, 0, true],
  ['a frame', { incognito: false }, 1, false],
  ['a private window', { incognito: true }, 0, false],
  ['a container', { incognito: false, cookieStoreId: 'firefox-container-1' }, 0, false],
])('the page of %s is timed when that is wanted, or not', (_, owner, frameId, isTimed) => {
  const { sent, timed } = connect(owner, frameId, { asked: { load: 3, waitsForQuiet: true }, said: [{ type: 'measured', load: 3, timing: TIMING }] });
  expect(sent.filter((message) => (message as { type: string }).type === 'measure')).toEqual(isTimed ? [{ type: 'measure', load: 3, waitsForQuiet: true }] : []);
  expect(timed).toEqual(isTimed ? [[1, 'https://a.test/', 3, TIMING]] : []);
});

it('nobody asks a page for its times when nobody wants them', () => {
  expect(connect({ incognito: false }).sent).toEqual([{ type: 'learn' }]);
});

it.each<[string, unknown]>([
  ['no number', { ...TIMING, isrtMs: Number.NaN }],
  ['before its beginning', { ...TIMING, isrtMs: -1 }],
  ['longer than anybody waits', { ...TIMING, isrtMs: 1e9 }],
  ['something more', { ...TIMING, note: 'x' }],
  ['an unknown reason', { outcome: 'void', reason: 'because' }],
  ['none', undefined],
])('a time that is %s is not heard', (_, timing) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(connect({ incognito: false }, 0, { said: [{ type: 'measured', load: 1, timing }] }).timed).toEqual([]);
  expect(warn).toHaveBeenCalledOnce();
});
