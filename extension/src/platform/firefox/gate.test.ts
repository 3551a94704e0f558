import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GateHost, RequestGate } from '../gate.ts';
import { createGate } from './gate.ts';
import type { HoldOrPass } from '../transparent/transparentGate.ts';

const URL_A = 'http://images.test/a.png';
const TAB = 3;

/** Firefox as far as the gate sees it: one listener for requests, one for navigations. */
class FakeFirefox {
  private request: HoldOrPass<FirefoxProxyRequest> | null = null;
  urls: readonly string[] = [];
  private navigation: (details: { tabId: number; frameId: number }) => void = () => undefined;

  install(): void {
    vi.stubGlobal('browser', {
      proxy: {
        onRequest: {
          addListener: (listener: HoldOrPass<FirefoxProxyRequest>, { urls }: { urls: string[] }) => ([this.request, this.urls] = [listener, urls]),
          removeListener: () => (this.request = null),
        },
      },
    });
    vi.stubGlobal('chrome', {
      webRequest: { onBeforeRequest: { addListener: (listener: FakeFirefox['navigation']) => (this.navigation = listener) } },
      tabs: { onRemoved: { addListener: () => undefined } },
    });
  }

  navigate(frameId = 0): void {
    this.navigation({ tabId: TAB, frameId });
  }

  /** @returns whether the request is held now, and a promise of its end */
  ask(documentId: string | undefined, url = URL_A, details: Partial<FirefoxProxyRequest> = {}): { held: boolean; gone: () => boolean } {
    const answer = this.request?.({ requestId: url, ...(documentId !== undefined && { documentId }), url, tabId: TAB, frameId: 0, type: 'image', ...details });
    let gone = answer === undefined;
    void answer?.then(() => (gone = true));
    return { held: answer !== undefined, gone: () => gone };
  }
}

describe('Firefox gate', () => {
  const connected = new Set<string>();
  const heldUrls: string[] = [];
  const pages: (string | null)[] = [];
  const givenUp: (string | null)[] = [];
  let passing: string | null;
  let firefox: FakeFirefox;
  let gate: RequestGate;

  beforeEach(() => {
    vi.useFakeTimers();
    connected.clear();
    heldUrls.length = 0;
    pages.length = 0;
    givenUp.length = 0;
    passing = null;
    firefox = new FakeFirefox();
    firefox.install();
    const held: GateHost['held'] = ({ url, page }) => {
      heldUrls.push(url);
      pages.push(page);
    };
    const host: GateHost = { mayPass: ({ url }) => url === passing, held, gaveUp: (_, url) => givenUp.push(url), isConnected: (document) => connected.has(document) };
    const created = createGate(host);
    if (created === null) throw new Error('no gate');
    gate = created;
  });
  afterEach(() => vi.useRealTimers());

  it('holds from the start, without being armed: the event page may be waking for this very request', () => {
    firefox.navigate();
    expect(firefox.ask('new').held).toBe(true);
    expect(heldUrls).toEqual([URL_A]);
  });

  it('says of which page the document is', () => {
    connected.add('d');
    firefox.ask('d', URL_A, { documentUrl: 'https://a.test/' });
    firefox.ask('d', 'http://images.test/b.png', { frameId: 2, documentUrl: 'https://frame.test/', frameAncestors: [{ url: 'https://a.test/', frameId: 0 }] });
    expect(pages).toEqual(['https://a.test/', 'https://a.test/']);
  });

  it('holds in a document whose content script is there', () => {
    connected.add('d');
    expect(firefox.ask('d').held).toBe(true);
  });

  it('does not hold in a document that was there before the event page', () => {
    expect(firefox.ask('old').held).toBe(false);
  });

  it('holds in a new document whatever the one before it asks for as it goes', () => {
    firefox.navigate();
    firefox.ask('old', 'http://images.test/left.gif');
    expect(firefox.ask('new').held).toBe(true);
  });

  it('holds in the frames of a page until another page comes', () => {
    firefox.navigate();
    firefox.navigate(2);
    expect(firefox.ask('frame', URL_A, { frameId: 2 }).held).toBe(true);
    firefox.navigate();
    expect(firefox.ask('other', URL_A, { frameId: 2 }).held).toBe(false);
  });

  it('does not hold where Firefox runs no content scripts', () => {
    firefox.navigate();
    expect(firefox.ask('d', URL_A, { documentUrl: 'https://addons.mozilla.org/de/firefox/' }).held).toBe(false);
  });

  it('does not hold what belongs to no tab, or to no document', () => {
    connected.add('d');
    firefox.navigate();
    expect(firefox.ask('d', URL_A, { tabId: -1 }).held).toBe(false);
    expect(firefox.ask(undefined).held).toBe(false);
  });

  it('stops holding when no content script comes', async () => {
    firefox.navigate();
    const first = firefox.ask('d');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([first.gone(), givenUp]).toEqual([true, [null]]);
    expect(firefox.ask('d', 'http://images.test/b.png').held).toBe(false);
  });

  it('releases one object of one document', async () => {
    connected.add('d').add('e');
    const ours = firefox.ask('d', `${URL_A}#part`);
    const theirs = firefox.ask('e');
    gate.release('d', [URL_A]);
    await vi.advanceTimersByTimeAsync(0);
    expect([ours.gone(), theirs.gone()]).toEqual([true, false]);
  });

  it('lets go of everything of a document that is gone', async () => {
    connected.add('d');
    const request = firefox.ask('d');
    gate.forget('d');
    await vi.advanceTimersByTimeAsync(0);
    expect(request.gone()).toBe(true);
  });

  it('keeps no more than a thousand documents, as of some that are gone nobody says so: the oldest is let go', async () => {
    firefox.navigate();
    const [first, second] = [firefox.ask('d0'), firefox.ask('d1')];
    for (let place = 2; place <= 1_000; place += 1) firefox.ask(`d${place}`);
    await vi.advanceTimersByTimeAsync(0);
    expect([first.gone(), second.gone()]).toEqual([true, false]);
  });

  it('does not hold what may pass, nor what it is redirected to; does not tell of it', () => {
    connected.add('d');
    passing = URL_A;
    expect(firefox.ask('d').held).toBe(false);
    expect(firefox.ask('d', 'http://images.test/elsewhere.png', { requestId: URL_A }).held).toBe(false);
    expect(heldUrls).toEqual([]);
    expect(firefox.ask('d', 'http://images.test/b.png').held).toBe(true);
  });

  it('holds nothing while it is told so', () => {
    connected.add('d');
    gate.hold(false);
    expect(firefox.ask('d').held).toBe(false);
    gate.hold(true);
    expect(firefox.urls).toEqual(['http://*/*', 'https://*/*']);
    expect(firefox.ask('d').held).toBe(true);
  });
});
