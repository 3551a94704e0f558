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
let payoff: Payoff;

beforeEach(() => {
  vi.useFakeTimers();
  link = SLOW;
  said = [];
  mayStepAside = false;
  isLoading = false;
  payoff = new Payoff({ link: () => link, handshakeLink: linkOfHandshake, mayStepAside: () => mayStepAside, isLoading: () => isLoading, changed: () => said.push(payoff.pays) });
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

  it('does not at a later one, when the helper may have asked for something', () => {
    payoff.roundTrip(FAR_MS);
    payoff.roundTrip(NEAR_MS);
    expect(said).toEqual([]);
  });

  it('does at the first one of another helper', () => {
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
