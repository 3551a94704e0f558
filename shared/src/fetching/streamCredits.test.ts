import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_LINK, bdpBytes } from '../estimation/link.ts';
import { FetchClass, type FetchObject } from './fetchObject.ts';
import { StreamCredits, type StreamCredit } from './streamCredits.ts';

const BDP = bdpBytes(INITIAL_LINK);
const LARGE = 10_000_000;

function objectOf(id: number, fetchClass: FetchClass): FetchObject {
  return { id, origin: 'https://a.test', fetchClass, index: id, bytes: 5_000, isAwaited: true };
}

interface Opened {
  readonly credit: StreamCredit;
  /** All that was given. */
  readonly given: () => number;
}

function open(credits: StreamCredits, id: number, fetchClass: FetchClass, nowMs = 0): Opened {
  let given = 0;
  const credit = credits.open(objectOf(id, fetchClass), (bytes) => (given += bytes), nowMs);
  return { credit, given: () => given };
}

describe('StreamCredits', () => {
  it('gives what the first screen waits for all at once, and no more than one bandwidth-delay product to all else together', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const layout = open(credits, 0, FetchClass.layout);
    const images = [1, 2, 3, 4].map((id) => open(credits, id, FetchClass.unplaced));
    for (const { credit } of images) credit.answered(LARGE, 0);
    expect(layout.given()).toBeGreaterThan(10 * BDP);
    expect(images.reduce((sum, { given }) => sum + given(), 0)).toBeLessThanOrEqual(BDP);
  });

  it('gives nothing to what the first screen does not wait for while what it waits for fills the link, and lets it go on afterwards', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const image = open(credits, 0, FetchClass.offScreen);
    const layout = open(credits, 1, FetchClass.layout);
    image.credit.answered(LARGE, 10);
    layout.credit.answered(LARGE, 10);
    const before = image.given();
    image.credit.received(before, 200);
    layout.credit.received(20_000, 200);
    expect(image.given()).toBe(before);
    layout.credit.end(300);
    expect(image.given()).toBeGreaterThan(before);
  });

  it('without the scavenger gives no more beside what is needed than keeps streams from starving', () => {
    const credits = new StreamCredits(() => INITIAL_LINK, { scavenges: false });
    const layout = open(credits, 0, FetchClass.layout);
    const images = [1, 2, 3].map((id) => open(credits, id, FetchClass.offScreen));
    for (const { credit } of images) credit.answered(LARGE, 0);
    const given = (): number => images.reduce((sum, image) => sum + image.given(), 0);
    expect(given()).toBe(4_000);
    layout.credit.end(10);
    expect(given()).toBeGreaterThan(BDP);
  });

  it('fills the link beside the rest of a needed answer', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const image = open(credits, 0, FetchClass.offScreen);
    image.credit.answered(LARGE, 0);
    const layout = open(credits, 1, FetchClass.layout);
    image.credit.received(image.given(), 100);
    const before = image.given();
    layout.credit.answered(BDP, 110);
    image.credit.received(BDP, 120);
    expect(image.given()).toBe(before);
    layout.credit.received(0.75 * BDP, 130);
    expect(image.given() - before).toBeCloseTo(0.75 * BDP, -2);
  });

  it('lets an image go that turns out to be in view, before others that have begun', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const [first, second] = [open(credits, 0, FetchClass.unplaced), open(credits, 1, FetchClass.unplaced)];
    for (const { credit } of [first, second]) credit.answered(LARGE, 0);
    second.credit.rank(objectOf(1, FetchClass.inView), 10);
    expect(second.given()).toBeGreaterThan(10 * BDP);
    const before = first.given();
    second.credit.received(BDP, 100);
    first.credit.received(before, 100);
    expect(first.given()).toBe(before);
  });

  it('stops nothing where it is not to preempt', () => {
    const credits = new StreamCredits(() => INITIAL_LINK, { preempts: false });
    open(credits, 0, FetchClass.layout);
    expect(open(credits, 1, FetchClass.offScreen).given()).toBeGreaterThan(10 * BDP);
  });

  it('a download does not keep the images of other pages waiting', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const download = open(credits, 0, FetchClass.layout);
    download.credit.answered(LARGE, 0);
    const image = open(credits, 1, FetchClass.offScreen);
    image.credit.answered(LARGE, 0);
    for (let nowMs = 10; nowMs < 400; nowMs += 10) download.credit.received(30_000, nowMs);
    expect(image.given()).toBeGreaterThan(BDP);
  });

  it('gives nothing to what nobody reads', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const layout = open(credits, 0, FetchClass.layout);
    const before = layout.given();
    layout.credit.hold(true, 0);
    layout.credit.received(before, 100);
    expect(layout.given()).toBe(before);
    layout.credit.hold(false, 200);
    expect(layout.given()).toBeGreaterThan(before);
  });

  it('does not keep anything waiting for a needed answer that does not come, or has no end', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const image = open(credits, 0, FetchClass.offScreen);
    image.credit.answered(LARGE, 0);
    const endless = open(credits, 1, FetchClass.layout);
    endless.credit.answered(null, 0);
    let nowMs = 0;
    for (const rounds = { left: 50 }; rounds.left > 0; rounds.left -= 1) {
      image.credit.received(image.given(), nowMs);
      endless.credit.received(1_000, nowMs);
      nowMs += 100;
    }
    // one piece every two seconds, though the endless one never rests
    expect(image.given()).toBeGreaterThan(BDP + 8_000);
    const before = image.given();
    expect(credits.nextTimerMs).toBeLessThanOrEqual(nowMs + 2_000);
    credits.advance(nowMs + 700);
    expect(image.given()).toBeGreaterThan(before);
  });

  it('lets each stream move now and then, as servers give up what stands still', () => {
    const credits = new StreamCredits(() => INITIAL_LINK);
    const endless = open(credits, 0, FetchClass.layout);
    endless.credit.answered(null, 0);
    const images = [1, 2, 3].map((id) => open(credits, id, FetchClass.offScreen));
    images[0]?.credit.answered(LARGE, 0);
    for (let nowMs = 0; nowMs <= 61_000; nowMs += 100) endless.credit.received(1_000, nowMs);
    const [, , last] = images;
    expect(last?.given()).toBeGreaterThan(0);
    expect(last?.given()).toBeLessThan(4_000);
  });

  it('has everything come, each byte with credit, whatever comes when', () => {
    const class_ = fc.constantFrom(FetchClass.layout, FetchClass.inView, FetchClass.unplaced, FetchClass.offScreen);
    const stream = fc.record({ bytes: fc.integer({ min: 0, max: 200_000 }), isLengthKnown: fc.boolean(), from: class_, to: class_, atMs: fc.integer({ min: 0, max: 1_500 }) });
    fc.assert(
      fc.property(fc.array(stream, { minLength: 1, maxLength: 12 }), (streams) => {
        const credits = new StreamCredits(() => INITIAL_LINK);
        // a server that sends what it may a round trip after it was let
        const sent = streams.map(() => ({ allowed: 0, sent: 0, isOver: false, isAnswered: false, isRanked: false, credit: null as StreamCredit | null }));
        const pipe: { readonly atMs: number; readonly place: number; readonly bytes: number }[] = [];
        for (let nowMs = 0; nowMs < 120_000 && sent.some(({ isOver }) => !isOver); nowMs += 10) {
          for (const [place, { bytes, isLengthKnown, from, to, atMs }] of streams.entries()) {
            const state = sent[place];
            if (!state || state.isOver || nowMs < atMs) continue;
            state.credit ??= credits.open(objectOf(place, from), (given) => (state.allowed += given), nowMs);
            if (!state.isAnswered && nowMs > atMs + INITIAL_LINK.rttMs) {
              state.isAnswered = true;
              state.credit.answered(isLengthKnown ? bytes : null, nowMs);
            }
            if (!state.isRanked && nowMs > atMs + 400) {
              state.isRanked = true;
              state.credit.rank(objectOf(place, to), nowMs);
            }
            const next = state.isAnswered ? Math.min(bytes, state.allowed) - state.sent : 0;
            if (next > 0) pipe.push({ atMs: nowMs + INITIAL_LINK.rttMs, place, bytes: next });
            state.sent += Math.max(0, next);
            if (bytes === 0 && state.isAnswered) {
              state.isOver = true;
              state.credit.end(nowMs);
            }
          }
          // 1.6 Mbit/s
          for (let room = 2_000; room > 0 && pipe[0] && pipe[0].atMs <= nowMs; ) {
            const piece = pipe.shift();
            const state = piece && sent[piece.place];
            if (!piece || !state) break;
            const came = Math.min(room, piece.bytes);
            if (came < piece.bytes) pipe.unshift({ ...piece, bytes: piece.bytes - came });
            room -= came;
            state.credit?.received(came, nowMs);
            const isWhole = state.sent === streams[piece.place]?.bytes && !pipe.some(({ place }) => place === piece.place);
            if (isWhole) {
              state.isOver = true;
              state.credit?.end(nowMs);
            }
          }
          if (credits.nextTimerMs !== null && credits.nextTimerMs <= nowMs) credits.advance(nowMs);
        }
        expect(sent.every(({ isOver }) => isOver)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
