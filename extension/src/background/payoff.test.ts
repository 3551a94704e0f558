import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { INITIAL_LINK, linkOfHandshake, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import { Payoff } from './payoff.ts';

const FAST: LinkEstimate = { ...INITIAL_LINK, rateBitsPerSecond: 50_000_000 };
const MIDDLING: LinkEstimate = { ...INITIAL_LINK, rateBitsPerSecond: 10_000_000 };
/** Over which the helper foresees, and over which it does not. */
const [FAR_MS, NEAR_MS] = [20, 5];
const SLOW: LinkEstimate = { ...INITIAL_LINK, rateBitsPerSecond: 4_000_000 };

let link: LinkEstimate;
let said: boolean[];
let mayStepAside: boolean;
let isLoading: boolean;
let isMeasured: boolean;
let rests: number;
let payoff: Payoff;

beforeEach(() => {
  vi.useFakeTimers();
  link = SLOW;
  said = [];
  mayStepAside = false;
  isLoading = false;
  isMeasured = true;
  rests = 0;
  payoff = new Payoff({ link: () => link, handshakeLink: linkOfHandshake, mayStepAside: () => mayStepAside, isLoading: () => isLoading, isMeasured: () => isMeasured, changed: () => said.push(payoff.pays), rested: () => (rests += 1) });
});
afterEach(() => vi.useRealTimers());

function loadPage(over: LinkEstimate): void {
  link = over;
  payoff.requested();
  vi.advanceTimersByTime(10_000);
}

describe('Payoff', () => {
  it('steps aside at the first handshake over a fast link, at once', () => {
    payoff.roundTrip(NEAR_MS);
    expect(said).toEqual([false]);
  });

  it('does not while something is held, as a page is being loaded then', () => {
    isLoading = true;
    loadPage(FAST);
    expect(said).toEqual([]);
    isLoading = false;
    vi.advanceTimersByTime(2_000);
    expect(said).toEqual([false]);
  });

  it('does not while the helper foresees, whatever the browser says of the link', () => {
    link = FAST;
    payoff.roundTrip(FAR_MS);
    expect(said).toEqual([]);
  });

  it('does at a later one while nothing was asked for: a relay answers a helper that has just been started late', () => {
    payoff.roundTrip(FAR_MS);
    payoff.roundTrip(NEAR_MS);
    expect(said).toEqual([false]);
  });

  it.each([['that was told before it', false], ['of it', true]])('does not at a later one of a page than the first one %s, when the helper may have asked for something', (_, isOfPage) => {
    if (isOfPage) payoff.requested();
    payoff.roundTrip(FAR_MS);
    payoff.requested();
    payoff.roundTrip(NEAR_MS);
    expect(said).toEqual([]);
  });

  it('does at the first one of another helper', () => {
    payoff.requested();
    payoff.roundTrip(FAR_MS);
    payoff.helperChanged();
    payoff.roundTrip(NEAR_MS);
    expect(said).toEqual([false]);
  });

  it('steps aside at any answer while the browser asks for everything by itself, and comes back only between pages', () => {
    mayStepAside = true;
    payoff.answered();
    link = FAST;
    payoff.answered();
    expect(said).toEqual([false]);
    link = SLOW;
    payoff.answered();
    expect(said).toEqual([false]);
  });

  it('listens until the page is over in whose middle it steps aside', () => {
    mayStepAside = true;
    link = FAST;
    payoff.requested();
    payoff.answered();
    expect([payoff.pays, payoff.listens]).toEqual([false, true]);
    vi.advanceTimersByTime(10_000);
    expect([payoff.pays, payoff.listens, said]).toEqual([false, false, [false, false]]);
    loadPage(SLOW);
    expect([payoff.pays, payoff.listens, said]).toEqual([true, true, [false, false, true]]);
  });

  it('listens no more at once where nothing of the page has come: there is no memory cache to empty', () => {
    payoff.requested();
    payoff.roundTrip(NEAR_MS);
    expect([payoff.pays, payoff.listens, said]).toEqual([false, false, [false]]);
  });

  it('goes on listening where a round trip is told when something of the page has come, until the page is over', () => {
    payoff.requested();
    payoff.answered();
    payoff.roundTrip(NEAR_MS);
    expect([payoff.pays, payoff.listens]).toEqual([false, true]);
    link = FAST;
    vi.advanceTimersByTime(10_000);
    expect([payoff.pays, payoff.listens]).toEqual([false, false]);
  });

  it('waits until nothing is asked for', () => {
    link = FAST;
    for (let i = 0; i < 10; i += 1) {
      payoff.requested();
      vi.advanceTimersByTime(1_500);
    }
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1_500);
    expect(said).toEqual([false]);
  });

  it('tells when a page is over, once it has been decided', () => {
    isLoading = true;
    loadPage(FAST);
    expect(rests).toBe(0);
    isLoading = false;
    vi.advanceTimersByTime(2_000);
    expect([rests, said]).toEqual([1, [false]]);
  });

  describe('in a network that is remembered as fast', () => {
    beforeEach(() => {
      [mayStepAside, isMeasured] = [true, false];
      payoff.begin(false);
    });

    it('steps aside before anything is known of it', () => {
      expect(said).toEqual([false]);
    });

    it('does so while a page is being loaded by the browser itself', () => {
      const late = new Payoff({ link: () => link, handshakeLink: linkOfHandshake, mayStepAside: () => true, isLoading: () => true, isMeasured: () => false, changed: () => undefined, rested: () => undefined });
      late.requested();
      late.begin(false);
      expect(late.pays).toBe(false);
    });

    it('stays so until something was measured, whatever is assumed of the link', () => {
      loadPage(SLOW);
      expect(said).toEqual([false]);
    });

    it('comes back between pages when it was measured to be slow, and a near server then says nothing against it', () => {
      isMeasured = true;
      loadPage(SLOW);
      expect(said).toEqual([false, true]);
      payoff.roundTrip(NEAR_MS);
      expect(said).toEqual([false, true]);
    });

    it('stays so on a link that is not clearly slower', () => {
      isMeasured = true;
      loadPage(MIDDLING);
      expect(said).toEqual([false]);
    });
  });

  describe('when the machine comes to another network', () => {
    it('begins there as a browser does, at once while nothing is asked for', () => {
      loadPage(FAST);
      payoff.begin(true);
      payoff.begin(false);
      expect(said).toEqual([false, true, false]);
    });

    it.each([[true], [false]])('waits for the page that is being loaded, as it changes who carries its requests (help would be wanted: %s)', (isSlow) => {
      if (isSlow) loadPage(FAST);
      isMeasured = false;
      payoff.requested();
      payoff.begin(isSlow);
      vi.advanceTimersByTime(1_999);
      expect(said).toEqual(isSlow ? [false] : []);
      link = SLOW;
      vi.advanceTimersByTime(1);
      expect(said).toEqual(isSlow ? [false, true] : [false]);
    });
  });

  it('comes back between pages on a slow link, and only when it is clearly slower than one that is fast', () => {
    loadPage(FAST);
    loadPage(MIDDLING);
    expect(said).toEqual([false]);
    loadPage(SLOW);
    expect(said).toEqual([false, true]);
    loadPage(MIDDLING);
    expect(said).toEqual([false, true]);
  });
});
