import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_LINK, bdpBytes, type LinkEstimate } from '../estimation/link.ts';
import { RankClass } from './rank.ts';
import { type Candidate, doesHelpPay, isHoldWorthwhile, isIcon, isOriginBusy, isSoonThere, isWindowFull, type LinkLoad, plainOriginLimit, selectReleases, wouldWaitInBrowser } from './releaseWindow.ts';

const ORIGIN = 'https://a.example';
const OTHER_ORIGIN = 'https://b.example';
const MIN_BDP_BYTES = 16_000;
const FILL_BDPS = 1;
const TAIL_BDPS = 3;
const MAX_OPEN_PER_ORIGIN = 32;
const PLAIN_LIMIT = 8;
const IDLE: LinkLoad = { bytesToCome: 0, connectingBytes: 0, isUrgent: false, bdpBytes: 0, openTo: () => 0, isConnecting: () => false, plainOriginLimit: () => PLAIN_LIMIT, releasesAreAlike: true };

const candidate: fc.Arbitrary<Candidate> = fc.record({
  rankClass: fc.constantFrom(...Object.values(RankClass)),
  origin: fc.constantFrom(ORIGIN, OTHER_ORIGIN, 'https://c.example'),
  bytes: fc.integer({ min: 700, max: 60_000 }),
});
/** In the order of a plan: by class. */
const candidates = fc.array(candidate, { maxLength: 60 }).map((all) => all.toSorted((a, b) => a.rankClass - b.rankClass));
const bytesToCome = fc.oneof(fc.constant(0), fc.nat(200_000));
const loads: fc.Arbitrary<LinkLoad> = fc
  .record({ bytesToCome, isUrgent: fc.boolean(), bdpBytes: fc.nat(100_000), open: fc.nat(MAX_OPEN_PER_ORIGIN + 4) })
  .map(({ open, ...load }) => ({ ...IDLE, ...load, openTo: (origin) => (origin === ORIGIN ? open : 0) }));

function equalCandidates(count: number, overrides: Partial<Candidate> = {}): Candidate[] {
  return Array.from({ length: count }, () => ({ rankClass: RankClass.offScreen, origin: ORIGIN, bytes: 1_000, ...overrides }));
}

function sumOf(objects: readonly Candidate[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

describe('selectReleases', () => {
  it('releases everything in view at once, whatever is on the way', () => {
    fc.assert(
      fc.property(candidates, loads, fc.boolean(), (held, load, laidOut) => {
        const inView = (objects: readonly Candidate[]): Candidate[] => objects.filter(({ rankClass }) => rankClass === RankClass.inView);
        expect(inView(selectReleases(held, load, laidOut))).toEqual(inView(held));
      }),
    );
  });

  it('releases nothing twice, nothing that is not held, and keeps the order', () => {
    fc.assert(
      fc.property(candidates, loads, fc.boolean(), (held, load, laidOut) => {
        const released = selectReleases(held, load, laidOut);
        const places = released.map((object) => held.indexOf(object));
        expect(places).not.toContain(-1);
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      }),
    );
  });

  it('releases what is not in view only while less than a window is still to come', () => {
    fc.assert(
      fc.property(candidates, loads, fc.boolean(), (held, load, laidOut) => {
        const released = selectReleases(held, load, laidOut);
        const last = released.findLastIndex(({ rankClass }) => rankClass !== RankClass.inView);
        fc.pre(last >= 0);
        const before = released.slice(0, last);
        const urgent = load.isUrgent || held.some(({ rankClass }) => rankClass === RankClass.inView);
        const windowBytes = (laidOut && !urgent ? TAIL_BDPS : FILL_BDPS) * Math.max(MIN_BDP_BYTES, load.bdpBytes);
        expect(load.bytesToCome + sumOf(before)).toBeLessThan(windowBytes);
      }),
    );
  });

  it('holds back only what a full window or a busy origin forbids', () => {
    fc.assert(
      fc.property(candidates, loads, fc.boolean(), (held, load, laidOut) => {
        const released = selectReleases(held, load, laidOut);
        const free = held.some((object) => !released.includes(object) && load.openTo(object.origin) + released.filter(({ origin }) => origin === object.origin).length < MAX_OPEN_PER_ORIGIN);
        if (free) expect(load.bytesToCome + sumOf(released)).toBeGreaterThanOrEqual(FILL_BDPS * Math.max(MIN_BDP_BYTES, load.bdpBytes));
      }),
    );
  });

  it('never leaves the link idle while something is held', () => {
    fc.assert(
      fc.property(candidates, fc.nat(100_000), fc.boolean(), (held, bdpBytes, laidOut) => {
        fc.pre(held.length > 0);
        expect(selectReleases(held, { ...IDLE, bdpBytes }, laidOut)).not.toEqual([]);
      }),
    );
  });

  it.each([
    ['one BDP before the layout', { bdpBytes: 40_000 }, false, 4],
    ['three BDP after the layout', { bdpBytes: 40_000 }, true, 12],
    ['one BDP after the layout while something urgent is on the way', { bdpBytes: 40_000, isUrgent: true }, true, 4],
    ['16 kB on a small link', { bdpBytes: 1 }, false, 2],
    ['what is left of the window', { bdpBytes: 40_000, bytesToCome: 20_000 }, false, 2],
    ['nothing when the window is just full', { bdpBytes: 40_000, bytesToCome: 40_000 }, false, 0],
    ['one when the window is not quite full', { bdpBytes: 40_000, bytesToCome: 39_999 }, false, 1],
  ])('fills %s', (_window, load, laidOut, count) => {
    const held = equalCandidates(20, { bytes: 10_000 }).map((object, place) => ({ ...object, origin: `https://${place}.example` }));
    expect(selectReleases(held, { ...IDLE, ...load }, laidOut)).toEqual(held.slice(0, count));
  });

  it('counts what it releases in view against the window of the rest', () => {
    const held = [...equalCandidates(1, { rankClass: RankClass.inView, bytes: 15_000 }), ...equalCandidates(5)];
    expect(selectReleases(held, IDLE, true)).toEqual(held.slice(0, 2));
  });

  it('gives what waits for a connection a window of its own: the link is idle until it is there', () => {
    const connecting = equalCandidates(20, { bytes: 10_000, origin: 'http://new.example' });
    const connected = equalCandidates(20, { bytes: 10_000 });
    const load: LinkLoad = { ...IDLE, bdpBytes: 40_000, isConnecting: (origin) => origin !== ORIGIN };
    expect(selectReleases([...connecting, ...connected], load, false)).toEqual([...connecting.slice(0, 4), ...connected.slice(0, 4)]);
  });

  it('asks an origin with TLS for one object until it has answered, also for what is in view, which keeps the window small', () => {
    const inView = equalCandidates(3, { rankClass: RankClass.inView });
    const rest = equalCandidates(40, { bytes: 10_000, origin: OTHER_ORIGIN });
    const load: LinkLoad = { ...IDLE, bdpBytes: 40_000, isConnecting: (origin) => origin === ORIGIN };
    expect(selectReleases([...inView, ...rest], load, true)).toEqual([...inView.slice(0, 1), ...rest.slice(0, 4)]);
    expect(selectReleases([...inView, ...rest], { ...load, openTo: (origin) => (origin === ORIGIN ? 1 : 0) }, true)).toEqual(rest.slice(0, 4));
  });

  it('opens at most 32 to an origin, and goes on with other origins', () => {
    const busy = equalCandidates(40, { bytes: 10 });
    const others = equalCandidates(3, { origin: OTHER_ORIGIN });
    expect(selectReleases([...busy, ...others], IDLE, true)).toEqual([...busy.slice(0, MAX_OPEN_PER_ORIGIN), ...others]);
  });

  it('opens no more to an origin without TLS than the gate wants there', () => {
    const busy = equalCandidates(40, { bytes: 10, origin: 'http://a.example' });
    expect(selectReleases(busy, IDLE, true)).toEqual(busy.slice(0, PLAIN_LIMIT));
  });

  it('counts requests that are open already, and those in view, toward the 32', () => {
    const inView = equalCandidates(3, { rankClass: RankClass.inView });
    const rest = equalCandidates(5, { bytes: 10 });
    expect(selectReleases([...inView, ...rest], { ...IDLE, openTo: () => 27 }, true)).toEqual([...inView, ...rest.slice(0, 2)]);
  });

  it('does not limit what is in view by its origin, where one connection takes all', () => {
    const inView = equalCandidates(20, { rankClass: RankClass.inView });
    expect(selectReleases(inView, { ...IDLE, openTo: () => MAX_OPEN_PER_ORIGIN }, true)).toEqual(inView);
  });

  it('keeps what is in view in its order here while the connections of its origin are busy, and goes on with other origins', () => {
    const waiting = equalCandidates(9, { rankClass: RankClass.inView, origin: 'http://a.example' });
    const others = equalCandidates(2, { rankClass: RankClass.inView, origin: 'http://b.example' });
    const load: LinkLoad = { ...IDLE, openTo: (origin) => (origin === 'http://a.example' ? 5 : 0) };
    expect(selectReleases([...waiting, ...others], load, true)).toEqual([...waiting.slice(0, 3), ...others]);
  });

  it('releases all in view where a release says that it is', () => {
    const inView = equalCandidates(9, { rankClass: RankClass.inView, origin: 'http://a.example' });
    const rest = equalCandidates(2, { origin: 'http://a.example' });
    expect(selectReleases([...inView, ...rest], { ...IDLE, releasesAreAlike: false, bdpBytes: 40_000 }, true)).toEqual(inView);
  });
});

describe('isOriginBusy', () => {
  const isConnecting = (): boolean => true;
  const isKnown = (): boolean => false;
  it.each([
    ['one that connects with TLS and has been asked', 'https:', 1, isConnecting, true],
    ['one that connects with TLS', 'https:', 0, isConnecting, false],
    ['one with TLS that has answered', 'https:', 31, isKnown, false],
    ['thirty-two requests to it', 'https:', 32, isKnown, true],
    ['one without TLS that connects', 'http:', 7, isConnecting, false],
    ['one without TLS that has its limit', 'http:', 8, isKnown, true],
  ])('%s', (_, scheme, open, connecting, expected) => {
    expect(isOriginBusy(`${scheme}//a.example`, { openTo: () => open, isConnecting: connecting, plainOriginLimit: () => PLAIN_LIMIT })).toBe(expected);
  });

  it('is another thing than to wait in the browser: one connection with TLS takes more than are useful', () => {
    expect(wouldWaitInBrowser('https://a.example', { ...IDLE, openTo: () => 32, isConnecting: isKnown })).toBe(false);
    expect(wouldWaitInBrowser('https://a.example', { ...IDLE, openTo: () => 1, isConnecting })).toBe(true);
    expect(wouldWaitInBrowser('http://a.example', { ...IDLE, openTo: () => 8, isConnecting: isKnown })).toBe(true);
  });
});

describe('plainOriginLimit', () => {
  it.each([
    ['six connections and two more that are ready', 150, 8],
    ['as many ready as are answered while a release is under way', 40, 9],
    ['the same on a link with a short round trip', 10, 18],
    ['no more than an origin gets with TLS', 1, MAX_OPEN_PER_ORIGIN],
  ])('is %s', (_, rttMs, expected) => {
    expect(plainOriginLimit({ ...INITIAL_LINK, rttMs }, null)).toBe(expected);
  });

  it.each([
    [0, 2],
    [3, 5],
    [7, 8],
    [60, 8],
  ])('leaves room for two images beside %i other files while the layout is to come, and for no more than usual', (openFiles, expected) => {
    expect(plainOriginLimit(INITIAL_LINK, openFiles)).toBe(expected);
  });
});

describe('doesHelpPay', () => {
  const link = (rateBitsPerSecond: number): LinkEstimate => ({ ...INITIAL_LINK, rateBitsPerSecond });

  it.each([
    ['a slow link', 1_600_000, [true, true]],
    ['a link between slow and fast', 15_000_000, [true, false]],
    ['a fast link', 25_000_000, [false, false]],
  ])('over %s (%i bit/s), if it paid before and if it did not', (_, rate, expected) => {
    expect([true, false].map((didPay) => doesHelpPay(link(rate), didPay))).toEqual(expected);
  });
});

describe('isSoonThere', () => {
  it('says so of what the link brings in a quarter of a second', () => {
    expect(isSoonThere(49_999, INITIAL_LINK)).toBe(true);
    expect(isSoonThere(50_000, INITIAL_LINK)).toBe(false);
    expect(isSoonThere(1_000_000, { ...INITIAL_LINK, rateBitsPerSecond: 100_000_000 })).toBe(true);
  });
});

describe('isHoldWorthwhile', () => {
  const smallLink: LinkEstimate = { ...INITIAL_LINK, rateBitsPerSecond: 100_000 };
  const fastLink: LinkEstimate = { ...INITIAL_LINK, rateBitsPerSecond: 40_000_000, rttMs: 5 };
  const bdp = bdpBytes(INITIAL_LINK);
  it.each([
    ['nothing is asked for', 'server', 0, INITIAL_LINK, false],
    ['less than comes in a quarter of a second', 'server', 49_999, INITIAL_LINK, false],
    ['more than a BDP and a quarter of a second', 'server', 50_000, INITIAL_LINK, true],
    ['more than a BDP and a quarter of a second', 'browser', 50_000, INITIAL_LINK, false],
    ['less than three BDPs', 'browser', 3 * bdp - 1, INITIAL_LINK, false],
    ['three BDPs', 'browser', 3 * bdp, INITIAL_LINK, true],
    ['a small link: less than the least BDP', 'server', 15_999, smallLink, false],
    ['a small link: the least BDP', 'server', 16_000, smallLink, true],
    ['a small link: less than three least BDPs', 'browser', 47_999, smallLink, false],
    ['a small link: three least BDPs', 'browser', 48_000, smallLink, true],
    ['a fast link: three BDPs, but there in a quarter of a second', 'server', 4 * bdpBytes(fastLink), fastLink, false],
    ['a fast link: more than comes in a quarter of a second', 'browser', 1_250_000, fastLink, true],
  ] as const)('%s (%s)', (_, queue, committedBytes, link, expected) => {
    expect(isHoldWorthwhile(committedBytes, link, queue)).toBe(expected);
  });

  it('is, for the queue of the browser, not yet so when the window has just become full: the gate does not swing', () => {
    const load = { bytesToCome: bdp, isUrgent: true, bdpBytes: bdp };
    expect(isWindowFull(load, false)).toBe(true);
    expect(isHoldWorthwhile(load.bytesToCome, INITIAL_LINK, 'browser')).toBe(false);
  });
});

describe('isIcon', () => {
  it.each([
    [2_000, 1_600_000, true],
    [2_001, 1_600_000, false],
    [481, 384_000, false],
    [100_000, 100_000_000, true],
  ])('%i bytes at %i bit/s: %s', (bytes, rateBitsPerSecond, expected) => expect(isIcon(bytes, { ...INITIAL_LINK, rateBitsPerSecond })).toBe(expected));
});
