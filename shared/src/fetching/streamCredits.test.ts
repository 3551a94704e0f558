import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { INITIAL_LINK, bdpBytes } from '../estimation/link.ts';
import { FetchClass, type FetchObject } from './fetchObject.ts';
import { RECEIVE_WINDOW_BYTES, StreamCredits, type StreamCredit } from './streamCredits.ts';

const BDP = bdpBytes(INITIAL_LINK);
const LARGE = 10_000_000;

function objectOf(id: number, fetchClass: FetchClass, origin = 'https://a.test'): FetchObject {
  return { id, origin, fetchClass, isImage: fetchClass !== FetchClass.layout, index: id, bytes: 5_000, isAwaited: true };
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

/** A response over HTTP/1.1. */
function openHttp1(credits: StreamCredits, id: number, fetchClass: FetchClass, origin = 'https://a.test'): Opened {
  let given = 0;
  const credit = credits.open(objectOf(id, fetchClass, origin), (bytes) => (given += bytes), 0, RECEIVE_WINDOW_BYTES);
  return { credit, given: () => given };
}

function sumOf(streams: readonly Opened[]): number {
  return streams.reduce((sum, { given }) => sum + given(), 0);
}

let credits: StreamCredits;
beforeEach(() => void (credits = new StreamCredits(() => INITIAL_LINK)));

describe('StreamCredits', () => {
  it('gives layout files all at once, and no more than one bandwidth-delay product to all together that the first screen does not wait for', () => {
    const layout = open(credits, 0, FetchClass.layout);
    const images = [1, 2, 3, 4].map((id) => open(credits, id, FetchClass.unplaced));
    for (const { credit } of images) credit.answered(LARGE, 0);
    expect(layout.given()).toBeGreaterThan(10 * BDP);
    expect(sumOf(images)).toBeLessThanOrEqual(BDP);
  });

  it('gives images in view one window over all connections, to the first in the document, and goes on as they come', () => {
    const [first, ...later] = [0, 1, 2, 3].map((id) => open(credits, id, FetchClass.inView)) as [Opened, Opened, Opened, Opened];
    for (const { credit } of [first, ...later]) credit.answered(2 * BDP, 0);
    expect(sumOf([first, ...later])).toBeLessThanOrEqual(2.5 * BDP);
    expect(first.given()).toBeGreaterThan(BDP);
    first.credit.received(first.given(), 100);
    expect(first.given()).toBe(2 * BDP);
    first.credit.received(BDP, 200);
    expect(later[0].given()).toBeGreaterThan(BDP);
    expect(later[2].given()).toBeLessThan(BDP);
  });

  it('an image in view whose server sends others first is still waited for: they get what keeps them from starving', () => {
    const others = [1, 2, 3, 4, 5].map((id) => open(credits, id, FetchClass.offScreen));
    for (const { credit } of others) credit.answered(LARGE, 0);
    const needed = open(credits, 0, FetchClass.inView);
    needed.credit.answered(LARGE, 0);
    const before = sumOf(others);
    const inOrder = [...others, needed].map((opened) => ({ ...opened, sent: 0 }));
    for (let nowMs = 0; nowMs < 5_000; nowMs += 100) {
      const next = inOrder.find(({ given, sent }) => given() > sent);
      if (next === undefined) break;
      const bytes = Math.min(BDP / 4, next.given() - next.sent);
      next.sent += bytes;
      next.credit.received(bytes, nowMs);
    }
    expect(before).toBeGreaterThan(BDP);
    // once more what goes with nothing needed on the way, before the server has shown that it is at work
    expect(sumOf(others) - before).toBeLessThanOrEqual(2 * BDP + 3 * 4_000);
  });

  it('what is needed and hangs for good keeps the others from the link for a while, not for good', () => {
    const needed = open(credits, 0, FetchClass.layout);
    needed.credit.answered(LARGE, 0);
    const image = open(credits, 1, FetchClass.offScreen);
    image.credit.answered(LARGE, 0);
    let [sent, soon] = [0, 0];
    for (let nowMs = 0; nowMs < 30_000; nowMs += 100) {
      const bytes = Math.min(BDP / 2, image.given() - sent);
      sent += bytes;
      image.credit.received(bytes, nowMs);
      if (nowMs === 10_000) soon = sent;
    }
    // a tenth of the link at least, then all of it
    expect(soon).toBeGreaterThan(0.1 * 100 * (BDP / 2));
    expect(sent - soon).toBeGreaterThan(0.4 * 200 * (BDP / 2));
  });

  it('what has no known end, and brings nothing, keeps the link busy no more although its server sends others', () => {
    const events = open(credits, 0, FetchClass.layout);
    events.credit.answered(null, 0);
    const image = open(credits, 1, FetchClass.offScreen);
    image.credit.answered(LARGE, 0);
    for (let nowMs = 0; nowMs < 5_000; nowMs += 100) image.credit.received(image.given(), nowMs);
    expect(image.given()).toBeGreaterThan(10 * BDP);
  });

  it('a layout file that is found late does not wait for images in view, and leaves them room', () => {
    const image = open(credits, 0, FetchClass.inView);
    image.credit.answered(LARGE, 0);
    const layouts = [1, 2].map((id) => open(credits, id, FetchClass.layout));
    for (const { credit } of layouts) credit.answered(LARGE, 0);
    expect(sumOf(layouts)).toBeGreaterThan(10 * BDP);
    expect(open(credits, 3, FetchClass.inView).given()).toBe(0);
    const before = image.given();
    image.credit.received(before, 100);
    expect(image.given() - before).toBe(1.5 * BDP);
  });

  it('an image of unknown length keeps a link full by itself, and leaves others room', () => {
    const first = open(credits, 0, FetchClass.inView);
    first.credit.answered(null, 0);
    first.credit.received(10_000, 0);
    expect(first.given() - 10_000).toBeGreaterThanOrEqual(BDP);
    const image = open(credits, 1, FetchClass.inView);
    image.credit.answered(LARGE, 0);
    expect(image.given()).toBeGreaterThan(BDP);
  });

  it('an image in view that is larger than expected does not stop for a round trip where there is room, half of which is left to others', () => {
    const first = open(credits, 0, FetchClass.inView);
    expect(first.given()).toBe(3 * 5_000);
    const others = Array.from({ length: 20 }, (_, index) => open(credits, index + 1, FetchClass.inView));
    expect(sumOf([first, ...others])).toBeLessThanOrEqual(2.5 * BDP);
    expect(others.filter(({ given }) => given() >= 5_000).length).toBeGreaterThanOrEqual(Math.floor((1.25 * BDP) / 5_000));
    // a small one gives back what it was lent
    const before = sumOf(others);
    first.credit.answered(1_000, 100);
    expect(sumOf(others) - before).toBeGreaterThanOrEqual(10_000);
  });

  it('what brings nothing for four round trips takes no room of what is needed', () => {
    open(credits, 0, FetchClass.inView).credit.answered(LARGE, 0);
    const next = open(credits, 1, FetchClass.inView, 100);
    next.credit.answered(LARGE, 100);
    const before = next.given();
    while (credits.nextTimerMs! < 4 * INITIAL_LINK.rttMs) {
      credits.advance(credits.nextTimerMs!);
      expect(next.given()).toBe(before);
    }
    credits.advance(credits.nextTimerMs!);
    expect(next.given()).toBeGreaterThan(2 * BDP);
  });

  it('a script that is late in its page does not wait for images in view', () => {
    open(credits, 0, FetchClass.inView).credit.answered(LARGE, 0);
    let given = 0;
    credits.open({ ...objectOf(1, FetchClass.inView), isImage: false }, (bytes) => (given += bytes), 0);
    expect(given).toBeGreaterThan(10 * BDP);
  });

  it('without their window images in view come as their servers send them', () => {
    const credits = new StreamCredits(() => INITIAL_LINK, { imageWindow: false });
    expect(open(credits, 0, FetchClass.inView).given()).toBeGreaterThan(10 * BDP);
  });

  it('gives nothing to what the first screen does not wait for while what it waits for fills the link, and lets it go on afterwards', () => {
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
    const [first, second] = [open(credits, 0, FetchClass.unplaced), open(credits, 1, FetchClass.unplaced)];
    for (const { credit } of [first, second]) credit.answered(LARGE, 0);
    second.credit.rank(objectOf(1, FetchClass.inView), 10);
    expect(second.given()).toBeGreaterThanOrEqual(1.5 * BDP);
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
    const download = open(credits, 0, FetchClass.layout);
    download.credit.answered(LARGE, 0);
    const image = open(credits, 1, FetchClass.offScreen);
    image.credit.answered(LARGE, 0);
    for (let nowMs = 10; nowMs < 400; nowMs += 10) download.credit.received(30_000, nowMs);
    expect(image.given()).toBeGreaterThan(BDP);
  });

  it('gives nothing to what nobody reads', () => {
    const layout = open(credits, 0, FetchClass.layout);
    layout.credit.answered(LARGE, 0);
    const before = layout.given();
    layout.credit.hold(true, 0);
    layout.credit.received(before, 100);
    expect(layout.given()).toBe(before);
    layout.credit.hold(false, 200);
    expect(layout.given()).toBeGreaterThan(before);
  });

  it('does not keep anything waiting for a needed answer that does not come, or has no end', () => {
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
    const endless = open(credits, 0, FetchClass.layout);
    endless.credit.answered(null, 0);
    const images = [1, 2, 3].map((id) => open(credits, id, FetchClass.offScreen));
    images[0]?.credit.answered(LARGE, 0);
    for (let nowMs = 0; nowMs <= 61_000; nowMs += 100) endless.credit.received(1_000, nowMs);
    const [, , last] = images;
    expect(last?.given()).toBeGreaterThan(0);
    expect(last?.given()).toBeLessThan(4_000);
  });

  it('one that was stopped for long is not silent: with credit again it counts at once', () => {
    const layout = open(credits, 0, FetchClass.layout);
    layout.credit.answered(LARGE, 0);
    const [first, second] = [open(credits, 1, FetchClass.unplaced), open(credits, 2, FetchClass.unplaced)];
    for (const { credit } of [first, second]) credit.answered(LARGE, 0);
    first.credit.received(first.given(), 100);
    for (let nowMs = 200; nowMs <= 1_000; nowMs += 100) layout.credit.received(20_000, nowMs);
    const before = second.given();
    first.credit.rank(objectOf(1, FetchClass.inView), 1_000);
    layout.credit.end(1_010);
    expect(second.given()).toBe(before);
    // nor is a window given twice before anything of it can have come
    first.credit.end(1_020);
    const given = second.given();
    expect(given - before).toBeGreaterThan(BDP);
    credits.advance(1_030);
    expect(second.given()).toBe(given);
  });

  describe('over HTTP/1.1', () => {
    it('what a window takes is read at once, and so is what says no length', () => {
      open(credits, 0, FetchClass.layout).credit.answered(LARGE, 0);
      const [small, endless, large] = [1, 2, 3].map((id) => openHttp1(credits, id, FetchClass.offScreen));
      small?.credit.answered(RECEIVE_WINDOW_BYTES, 0);
      endless?.credit.answered(null, 0);
      large?.credit.answered(RECEIVE_WINDOW_BYTES + 1, 0);
      expect(small?.given()).toBeGreaterThanOrEqual(RECEIVE_WINDOW_BYTES);
      expect(endless?.given()).toBeGreaterThan(0);
      // what the first that waits gets in any case
      expect(large?.given()).toBeLessThanOrEqual(4_000);
    });

    it('what is needed is always given more than the largest piece that it may be read by', () => {
      const layout = openHttp1(credits, 0, FetchClass.layout);
      layout.credit.answered(LARGE, 0);
      for (let received = 0; received < 2_000_000; received += RECEIVE_WINDOW_BYTES) {
        layout.credit.received(RECEIVE_WINDOW_BYTES, 0);
        expect(layout.given()).toBeGreaterThan(received + RECEIVE_WINDOW_BYTES);
      }
    });

    it('stops in mid-flight when it turns out not to be in view, and goes on when it does', () => {
      const image = openHttp1(credits, 0, FetchClass.inView);
      image.credit.answered(LARGE, 0);
      openHttp1(credits, 1, FetchClass.layout).credit.answered(LARGE, 0);
      image.credit.rank(objectOf(0, FetchClass.offScreen), 10);
      const before = image.given();
      image.credit.received(before, 20);
      expect(image.given()).toBe(before);
      image.credit.rank(objectOf(0, FetchClass.inView), 30);
      expect(image.given()).toBeGreaterThan(before);
    });

    it('what a server may send unread keeps streams back that are not needed either', () => {
      const given = [false, true].map((isBeside) => {
        const credits = new StreamCredits(() => INITIAL_LINK);
        open(credits, 0, FetchClass.layout);
        if (isBeside) openHttp1(credits, 1, FetchClass.offScreen).credit.answered(LARGE, 0);
        const stream = open(credits, 2, FetchClass.offScreen);
        stream.credit.answered(LARGE, 0);
        return stream.given();
      });
      expect(given[1]).toBeLessThan(given[0] ?? 0);
    });

    it('four responses of a server of http: stand still at most, as a browser has six requests there', () => {
      for (const [origin, most] of [['http://a.test', 4], ['https://a.test', 9]] as const) {
        const credits = new StreamCredits(() => INITIAL_LINK);
        open(credits, 9, FetchClass.layout).credit.answered(LARGE, 0);
        const images = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((id) => openHttp1(credits, id, FetchClass.offScreen, origin));
        for (const { credit } of images) credit.answered(LARGE, 0);
        expect(images.filter(({ given }) => given() <= 4_000)).toHaveLength(most);
      }
    });

    it('a sign of life makes good what was read beyond credit', () => {
      const endless = open(credits, 0, FetchClass.layout);
      endless.credit.answered(null, 0);
      const images = [1, 2].map((id) => openHttp1(credits, id, FetchClass.offScreen));
      for (const { credit } of images) {
        credit.answered(LARGE, 0);
        credit.received(RECEIVE_WINDOW_BYTES, 0);
      }
      for (let nowMs = 0; nowMs <= 34_000; nowMs += 100) endless.credit.received(1_000, nowMs);
      for (const { given } of images) expect(given()).toBeGreaterThan(RECEIVE_WINDOW_BYTES);
    });

    it('is read on where nothing is needed, though a piece was larger than the windows of a slow link', () => {
      const credits = new StreamCredits(() => ({ ...INITIAL_LINK, rateBitsPerSecond: 400_000 }));
      const image = openHttp1(credits, 0, FetchClass.offScreen);
      image.credit.answered(LARGE, 0);
      for (let read = 0; read < 1_000_000; read += RECEIVE_WINDOW_BYTES) {
        expect(image.given()).toBeGreaterThan(read);
        image.credit.received(RECEIVE_WINDOW_BYTES, 10);
      }
    });

    it('all of each response is read, by pieces as a socket gives them, whatever comes when', () => {
      const response = fc.record({ bytes: fc.integer({ min: 1, max: 400_000 }), isLengthKnown: fc.boolean(), from: fc.constantFrom(0, 1, 2, 3), to: fc.constantFrom(0, 1, 2, 3), isClear: fc.boolean() });
      fc.assert(
        fc.property(fc.array(response, { minLength: 1, maxLength: 12 }), (responses) => {
          const credits = new StreamCredits(() => INITIAL_LINK);
          const open = responses.map(({ bytes, isLengthKnown, from, isClear }, id) => {
            const { credit, given } = openHttp1(credits, id, from, isClear ? 'http://a.test' : 'https://a.test');
            credit.answered(isLengthKnown ? bytes : null, 0);
            return { credit, given, id, left: bytes, read: 0 };
          });
          let nowMs = 0;
          for (; nowMs < 300_000 && open.some(({ left }) => left > 0); nowMs += 50) {
            for (const each of open) {
              if (each.left === 0) continue;
              if (nowMs === 500) each.credit.rank(objectOf(each.id, responses[each.id]?.to as FetchClass), nowMs);
              // the first piece comes with the head
              if (each.read > 0 && each.read >= each.given()) continue;
              const piece = Math.min(each.left, 10_000);
              each.left -= piece;
              each.read += piece;
              each.credit.received(piece, nowMs);
              if (each.left === 0) each.credit.end(nowMs);
            }
            if (credits.nextTimerMs !== null && credits.nextTimerMs <= nowMs) credits.advance(nowMs);
          }
          expect(open.every(({ left }) => left === 0)).toBe(true);
        }),
        { numRuns: 60 },
      );
    });
  });
});
