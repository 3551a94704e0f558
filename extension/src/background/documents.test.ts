import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import type { ImageRank } from '../../../shared/src/page/documentModel.ts';
import type { LayoutReport } from '../../../shared/src/protocol/contentSchema.ts';
import type { RequestGate } from '../platform/gate.ts';
import { Documents, type ContentScript } from './documents.ts';
import { LinkTraffic } from './linkTraffic.ts';

const TAB = 1;
const STEP_MS = 50;
const SEEN: LayoutReport = { view: { x: 0, y: 0, width: 800, height: 600 }, isVisible: true, isParsed: true, look: 1, isWhole: false, images: [] };
const PAGE = 'https://page.test/';
const request = (url: string, order = 0) => ({ document: 'd', tabId: TAB, url, requestId: url, order, page: PAGE });
const placed = (url: string, y: number): LayoutReport['images'][number] => ({ url, placement: { state: 'placed', rect: { x: 0, y, width: 100, height: 100 } } });

describe('Documents', () => {
  let nowMs: number;
  let released: string[];
  let ranked: ImageRank[];
  /** As the counts were when they were said to be others. */
  let counted: object[];
  let told: unknown[];
  let gated: string[];
  let changedPages: number[];
  let wantsRanks: boolean;
  let holdsAll: boolean;
  let offPages: (string | null)[];
  let savingPages: (string | null)[];
  let orders: boolean;
  let ordersHttps: boolean;
  let asking: string[];
  let documents: Documents;
  let content: ContentScript;

  beforeEach(() => {
    vi.useFakeTimers();
    [nowMs, released, asking, ranked, counted, told, gated, changedPages, wantsRanks, holdsAll, offPages, savingPages, orders, ordersHttps] = [0, [], [], [], [], [], [], [], false, false, [], [], true, false];
    const gate: RequestGate = { lazyMarginPx: 2_500, hold: () => undefined, release: (_, urls) => released.push(...urls), releaseAll: (key) => released.push(`all of ${key}`), forget: (key) => released.push(`forgotten ${key}`) };
    const traffic = new LinkTraffic();
    traffic.fixedLink = INITIAL_LINK;
    documents = new Documents(gate, traffic, { holdsAll: () => holdsAll, orders: () => orders, isOff: (page) => offPages.includes(page), savesData: (page) => savingPages.includes(page), ordersHttps: () => ordersHttps, wantsRanks: () => wantsRanks, asking: (url) => asking.push(url), ranked: (ranks) => ranked.push(...ranks), counted: () => counted.push({ ...documents.counts(TAB) }), pageChanged: ({ tabId }) => changedPages.push(tabId), gated: (_, { url, isHeld }) => gated.push(`${isHeld ? 'held' : 'let go'} ${url}`), now: () => nowMs });
    content = { tabId: TAB, isPage: true, isPrivate: false, page: PAGE, send: (message) => told.push(message) };
  });
  afterEach(() => vi.useRealTimers());

  const looks = (): unknown[] => told.filter((message) => (message as { type: string }).type === 'look');

  it.each([
    ['of each image that is asked for, held or not', () => undefined, true],
    ['of none before somebody wants to know', () => (wantsRanks = false), false],
    ['of none of a private window', () => documents.connected('d', { ...content, isPrivate: true }), false],
    ['of none of a page that is off', () => {
      offPages = [PAGE];
      documents.settingsChanged();
    }, false],
    ['of none that the data saver may leave', () => {
      savingPages = [PAGE];
      documents.settingsChanged();
    }, false],
  ])('tells %s', (_, change, isTold) => {
    wantsRanks = true;
    documents.connected('d', content);
    change();
    const urls = Array.from({ length: 40 }, (__, n) => `https://a.test/${n}.jpg`);
    for (const url of urls) documents.mayPass(request(url));
    expect(asking).toEqual(isTold ? urls : []);
  });

  it('lets images pass while the link has room, and holds then', () => {
    const passed = Array.from({ length: 40 }, (_, n) => documents.mayPass(request(`https://a.test/${n}.jpg`)));
    // the first connects, and nothing more is asked of its origin before it has answered
    expect(passed.filter(Boolean).length).toBeGreaterThan(0);
    expect(passed.at(-1)).toBe(false);
  });

  it('releases what is in view before all else, however full the link, once it is known to be there', async () => {
    holdsAll = true;
    documents.connected('d', content);
    const urls = Array.from({ length: 40 }, (_, n) => `http://a.test/${n}.jpg`);
    for (const [order, url] of urls.entries()) {
      expect(documents.mayPass(request(url))).toBe(false);
      documents.held(request(url, order));
    }
    await vi.advanceTimersByTimeAsync(STEP_MS);
    const before = released.length;
    expect(before).toBeLessThan(40);
    documents.layout('d', { ...SEEN, look: 2, images: urls.map((url, n) => placed(url, n === 39 ? 10 : 9_000)) });
    await vi.advanceTimersByTimeAsync(STEP_MS);
    expect(released[before]).toBe(urls[39]);
    expect(documents.counts(TAB)).toMatchObject({ held: 40, inView: 1 });
    expect(counted.at(-1), 'told of the last change').toEqual(documents.counts(TAB));
  });

  it('counts what the page before lets go for none of the next one', async () => {
    holdsAll = true;
    documents.connected('d', content);
    documents.held(request('https://a.test/a.jpg'));
    nowMs = 10;
    documents.navigated(TAB, nowMs);
    documents.connected('next', content);
    documents.held({ ...request('https://a.test/b.jpg'), document: 'next' });
    documents.releaseEverything();
    await vi.advanceTimersByTimeAsync(STEP_MS);
    expect(documents.counts(TAB)).toMatchObject({ held: 1, released: 1 });
  });

  it('counts what was held of a page for none that comes out of the back/forward cache, and all of its frames for a page', () => {
    documents.connected('d', content);
    documents.held(request('https://a.test/a.jpg'));
    nowMs = 10;
    documents.connected('back', content);
    expect(documents.counts(TAB)).toMatchObject({ held: 0 });
    documents.held({ ...request('https://a.test/b.jpg'), document: 'back' });
    nowMs = 20;
    documents.connected('frame', { ...content, isPage: false });
    documents.held({ ...request('https://b.test/c.jpg'), document: 'frame' });
    expect(documents.counts(TAB)).toMatchObject({ held: 2 });
  });

  it('counts what is held of a page for it when its navigation is heard of later', () => {
    documents.held(request('https://a.test/a.jpg'));
    nowMs = 20;
    documents.connected('next', content);
    documents.held({ ...request('https://a.test/b.jpg'), document: 'next' });
    documents.navigated(TAB, 10);
    documents.held({ ...request('https://a.test/c.jpg'), document: 'next' });
    expect(documents.counts(TAB)).toMatchObject({ held: 2, released: 0 });
  });

  it('asks where held images stand, once for a burst, and not when it knows', async () => {
    documents.connected('d', content);
    for (const n of [1, 2, 3]) documents.held(request(`https://a.test/${n}.jpg`, n));
    await vi.advanceTimersByTimeAsync(STEP_MS);
    expect(looks()).toEqual([{ type: 'look', look: 1 }, { type: 'look', look: 2 }]);
  });

  it('releases at once what was released before, when the gate has forgotten it', () => {
    documents.connected('d', content);
    documents.held(request('https://a.test/a.jpg'));
    documents.releaseEverything();
    documents.held(request('https://a.test/a.jpg'));
    expect(released).toEqual(['all of d', 'https://a.test/a.jpg']);
    expect(gated, 'told to a panel, once').toEqual(['held https://a.test/a.jpg', 'let go https://a.test/a.jpg']);
  });

  it('loses no more than its place for an image whose URL is too long: it passes, with a code in the log', () => {
    holdsAll = true;
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    expect(documents.mayPass(request(`https://a.test/${'x'.repeat(8_200)}.jpg`))).toBe(true);
    expect(documents.mayPass(request('https://a.test/short.jpg'))).toBe(false);
    expect(info.mock.calls.join()).toContain('E_URL_TOO_LONG');
    info.mockRestore();
  });

  it('holds nothing of a document that a service worker answers for', () => {
    holdsAll = true;
    documents.connected('d', content);
    documents.standDown('d');
    expect(documents.mayPass(request('https://a.test/a.jpg'))).toBe(true);
    expect(released).toEqual(['all of d']);
  });

  it('knows of the page of a tab, not of a frame in it, that a service worker answers for it, until it goes', () => {
    documents.connected('frame', { ...content, isPage: false });
    documents.standDown('frame');
    expect([documents.isAnsweredByWorker(TAB), changedPages]).toEqual([false, []]);
    documents.connected('d', content);
    documents.standDown('d');
    expect([documents.isAnsweredByWorker(TAB), documents.isAnsweredByWorker(2), changedPages]).toEqual([true, false, [TAB, TAB]]);
    documents.disconnected('d', content);
    expect(documents.isAnsweredByWorker(TAB)).toBe(false);
  });

  it('lets go of a document whose content script is gone, as in the back/forward cache', () => {
    documents.connected('d', content);
    documents.held(request('https://a.test/a.jpg'));
    documents.disconnected('d', content);
    expect([released, documents.isConnected('d')]).toEqual([['forgotten d'], false]);
  });

  it('keeps a document that is back out of the back/forward cache when it hears that its port before was closed', () => {
    const back = { ...content };
    documents.connected('d', content);
    documents.connected('d', back);
    documents.disconnected('d', content);
    expect([released, documents.isConnected('d')]).toEqual([[], true]);
    documents.disconnected('d', back);
    expect([released, documents.isConnected('d')]).toEqual([['forgotten d'], false]);
  });

  it('holds no image for those of a frame that was removed, whose ends are not told', () => {
    ordersHttps = true;
    documents.connected('d', content);
    const frame = { ...content, isPage: false };
    documents.connected('frame', frame);
    const mayPass = (url: string, document: string): boolean => documents.mayPass({ ...request(url), document });
    expect(['a', 'b', 'c'].map((host) => mayPass(`https://${host}.test/1.jpg`, 'frame'))).toEqual([true, true, false]);
    expect(mayPass('https://d.test/1.jpg', 'd')).toBe(false);
    documents.disconnected('frame', frame);
    expect(mayPass('https://d.test/1.jpg', 'd')).toBe(true);
  });

  it('knows what the gate has let go of by itself', async () => {
    holdsAll = true;
    for (const n of [1, 2, 3]) documents.held(request(`https://a.test/${n}.jpg`, n));
    documents.gaveUp('d', 'https://a.test/2.jpg');
    documents.gaveUp('d', 'https://a.test/never-held.jpg');
    expect(documents.counts(TAB)).toMatchObject({ held: 3, released: 1 });
    documents.gaveUp('d', null);
    documents.connected('d', content);
    await vi.advanceTimersByTimeAsync(STEP_MS);
    expect(documents.counts(TAB).released).toBe(3);
  });

  it('keeps nothing of a document that no content script has come for but its counts, when the gate has let go of it', () => {
    documents.held(request('https://a.test/a.jpg'));
    documents.gaveUp('d', null);
    expect(documents.counts(TAB)).toMatchObject({ held: 1, released: 1 });
    documents.forgetTab(TAB);
    expect(released).toEqual(['all of d']);
  });

  it.each([
    ['is told where images stand', true, false, 1],
    ['is told nothing of a private window', true, true, 0],
    ['is told nothing while it carries nothing', false, false, 0],
  ])('the helper %s', (_, wants, isPrivate, count) => {
    wantsRanks = wants;
    documents.connected('d', { ...content, isPrivate });
    documents.layout('d', { ...SEEN, images: [placed('https://a.test/a.jpg', 10)] });
    expect(ranked).toHaveLength(count);
  });

  describe('of a page whose site is off', () => {
    const image = request('https://a.test/a.jpg');

    it('nothing is held, asked or told, from its first image on', async () => {
      [holdsAll, wantsRanks, offPages] = [true, true, [PAGE]];
      expect(documents.mayPass(image), 'before its content script').toBe(true);
      documents.connected('d', content);
      documents.ranksAreWanted();
      documents.layout('d', { ...SEEN, images: [placed('https://a.test/a.jpg', 10)] });
      await vi.advanceTimersByTimeAsync(STEP_MS);
      expect(documents.mayPass(request('https://a.test/b.jpg'))).toBe(true);
      expect([looks(), ranked, documents.counts(TAB)]).toEqual([[], [], { held: 0, released: 0, inView: 0, left: 0 }]);
    });

    it('everything goes at once when that is decided while it is held, and stays so until it is loaded again', () => {
      [holdsAll, wantsRanks] = [true, true];
      documents.connected('d', content);
      documents.held(image);
      offPages = [PAGE];
      documents.settingsChanged();
      expect(released).toEqual(['all of d']);
      offPages = [];
      documents.settingsChanged();
      documents.layout('d', { ...SEEN, images: [placed('https://a.test/b.jpg', 10)] });
      expect([documents.mayPass(request('https://a.test/b.jpg')), ranked]).toEqual([true, []]);
      documents.disconnected('d', content);
      documents.connected('d', content);
      expect(documents.mayPass(request('https://a.test/b.jpg'))).toBe(false);
    });

    it('goes what was held of a frame before anybody knew of which page it is', () => {
      [holdsAll, offPages] = [true, ['https://off.test/']];
      documents.held({ ...image, page: null });
      documents.connected('d', { ...content, page: 'https://off.test/' });
      expect(released).toEqual(['all of d']);
    });

    it('other pages are held as ever', () => {
      [holdsAll, offPages] = [true, ['https://off.test/']];
      documents.connected('d', content);
      expect(documents.mayPass(image)).toBe(false);
      documents.held(image);
      documents.settingsChanged();
      expect(released).toEqual([]);
    });
  });

  describe('with the data saver', () => {
    const [NEAR, FAR] = ['http://a.test/near.jpg', 'http://a.test/far.jpg'];
    const makeLazy = (): unknown[] => told.filter((message) => (message as { type: string }).type === 'makeLazy');

    /** Both are asked for, on an idle link, and then their places are known. */
    async function laidOut(): Promise<void> {
      savingPages = [PAGE];
      documents.connected('d', content);
      for (const [order, url] of [NEAR, FAR].entries()) {
        expect(documents.mayPass(request(url))).toBe(false);
        documents.held(request(url, order));
      }
      await vi.advanceTimersByTimeAsync(STEP_MS);
      expect(released).toEqual([]);
      documents.layout('d', { ...SEEN, look: 2, images: [placed(NEAR, 10), placed(FAR, 9_000)] });
      await vi.advanceTimersByTimeAsync(STEP_MS);
    }

    it('an image waits for its place; one in view goes then, and the content script is asked once to leave one that is far', async () => {
      await laidOut();
      await vi.advanceTimersByTimeAsync(1_000);
      expect([released, makeLazy()]).toEqual([[NEAR], [{ type: 'makeLazy', urls: [FAR], untilMs: 2_000 }]]);
    });

    it('what its element has given up is let go by the gate, and counts as left', async () => {
      await laidOut();
      documents.madeLazy('d', { lazy: [FAR, 'http://a.test/never-held.jpg'], others: [] });
      expect([released, documents.counts(TAB)]).toEqual([[NEAR, FAR], { held: 2, released: 1, inView: 1, left: 1 }]);
      expect(gated.at(-1)).toBe(`let go ${FAR}`);
    });

    it.each<[string, () => void, number]>([
      ['can not be left', () => documents.madeLazy('d', { lazy: [], others: [FAR] }), STEP_MS],
      ['gets no answer', () => undefined, 2_600],
      ['is of a page whose user has switched the saver off meanwhile', () => { savingPages = []; documents.settingsChanged(); }, STEP_MS],
    ])('one that %s goes as others do', async (_, happens, ms) => {
      await laidOut();
      happens();
      await vi.advanceTimersByTimeAsync(ms);
      expect(released).toEqual([NEAR, FAR]);
      expect(documents.counts(TAB)).toMatchObject({ released: 2, left: 0 });
    });

    it('one that nobody has left when its document goes is let go once, by the gate', async () => {
      await laidOut();
      documents.disconnected('d', content);
      await vi.advanceTimersByTimeAsync(3_000);
      expect([released, documents.counts(TAB).released]).toEqual([[NEAR, 'forgotten d'], 1]);
    });

    it('acts on a fast link too, where nothing else is held', async () => {
      orders = false;
      await laidOut();
      expect(released).toEqual([NEAR]);
      expect(documents.mayPass({ ...request('http://a.test/of-another-page.jpg'), document: 'other', page: 'https://other.test/' })).toBe(true);
    });
  });
});
