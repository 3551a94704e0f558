import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_LINK, bdpBytes } from '../estimation/link.ts';
import { FILL_WINDOW_BDPS, MIN_BDP_BYTES, admit, mayGo, type Candidate, type LinkLoad } from './admission.ts';
import { RankClass } from './rank.ts';

const TLS = 'https://a.test';
const OTHER = 'https://b.test';
const PLAIN = 'http://a.test';
const { inView, unplaced, offScreen, undisplayed } = RankClass;
const IDLE: LinkLoad = { link: INITIAL_LINK, bytesToCome: 0, connectingBytes: 0, isUrgent: false, isConnecting: () => false, openTo: () => 0, isHttpsOrdered: false, openSecureImages: 0 };
const BDP = bdpBytes(INITIAL_LINK);
const LARGE = 60_000;

const image = (properties: Partial<Candidate> = {}): Candidate => ({ rankClass: offScreen, origin: TLS, bytes: LARGE, ...properties });
const connecting = (origin: string, open: number): Partial<LinkLoad> => ({ isConnecting: (of) => of === origin, openTo: (of) => (of === origin ? open : 0) });

describe('mayGo', () => {
  it.each<[string, Partial<Candidate>, Partial<LinkLoad>, boolean, boolean]>([
    ['it would open a connection that goes unused, though it is in view', { rankClass: inView }, connecting(TLS, 1), true, false],
    ['it opens the first connection', { rankClass: inView }, { ...connecting(TLS, 0), bytesToCome: 500_000 }, true, true],
    ['without TLS every connection is used', { rankClass: inView, origin: PLAIN }, { ...connecting(PLAIN, 5), bytesToCome: 500_000 }, true, true],
    ['in view, however full the link', { rankClass: inView }, { bytesToCome: 500_000, isUrgent: true }, true, true],
    ['place unknown, link not busy', { rankClass: unplaced }, {}, false, true],
    ['place unknown, one BDP on the way, no layout', { rankClass: unplaced }, { bytesToCome: BDP }, false, false],
    ['place unknown, without TLS and layout, three connections taken', { rankClass: unplaced, origin: PLAIN }, { openTo: () => 3 }, false, true],
    ['two are left to what the layout shows to be in view', { rankClass: unplaced, origin: PLAIN }, { openTo: () => 4 }, false, false],
    ['and taken when there is a layout', { origin: PLAIN }, { openTo: () => 4 }, true, true],
    ['over TLS the origin may have one for all', { rankClass: unplaced }, { openTo: () => 4 }, false, true],
    ['off screen beside what is urgent, less than one BDP', {}, { bytesToCome: BDP - 1, isUrgent: true }, true, true],
    ['off screen beside what is urgent, one BDP', {}, { bytesToCome: BDP, isUrgent: true }, true, false],
    ['off screen with the first screen there, one BDP', {}, { bytesToCome: BDP }, true, true],
    ['off screen with the first screen there, three BDP', {}, { bytesToCome: 3 * BDP }, true, false],
    ['hidden as off screen', { rankClass: undisplayed }, { bytesToCome: 3 * BDP }, true, false],
    ['it opens the first connection, off screen and before the layout, while style sheets wait for theirs', {}, { ...connecting(TLS, 0), connectingBytes: 3 * BDP, isUrgent: true }, false, true],
    ['without TLS, the first connection of an origin is opened', { origin: PLAIN }, { ...connecting(PLAIN, 0), bytesToCome: 3 * BDP, connectingBytes: 3 * BDP }, false, true],
    ['and all that it may have', { origin: PLAIN }, { ...connecting(PLAIN, 5), bytesToCome: 3 * BDP, connectingBytes: BDP - 1 }, true, true],
    ['but for what comes at once when other origins are connected', { origin: PLAIN }, { ...connecting(PLAIN, 1), connectingBytes: BDP }, true, false],
    ['and no more', { origin: PLAIN }, connecting(PLAIN, 6), true, false],
    ['on a small link, less than the least BDP', {}, { link: { ...INITIAL_LINK, rateBitsPerSecond: 50_000 }, bytesToCome: MIN_BDP_BYTES - 1 }, false, true],
    ['on a small link, the least BDP', {}, { link: { ...INITIAL_LINK, rateBitsPerSecond: 50_000 }, bytesToCome: MIN_BDP_BYTES }, false, false],
    ['ordered by the helper, in view', { rankClass: inView }, { isHttpsOrdered: true, openSecureImages: 40, bytesToCome: 500_000, isUrgent: true }, true, true],
    ['ordered by the helper, place unknown, before the layout, one under way', { rankClass: unplaced }, { isHttpsOrdered: true, openSecureImages: 1, bytesToCome: 500_000, isUrgent: true }, false, true],
    ['ordered by the helper, place unknown, before the layout, two under way', { rankClass: unplaced }, { isHttpsOrdered: true, openSecureImages: 2 }, false, false],
    ['ordered by the helper, place unknown, after the layout', { rankClass: unplaced }, { isHttpsOrdered: true, openSecureImages: 9, isUrgent: true }, true, true],
    ['ordered by the helper, off screen beside what is urgent, however little it is', { bytes: 700 }, { isHttpsOrdered: true, isUrgent: true }, true, false],
    ['ordered by the helper, off screen with the first screen there', {}, { isHttpsOrdered: true, openSecureImages: 3, bytesToCome: 500_000 }, true, true],
    ['ordered by the helper, off screen, and the browser has enough', { bytes: 700 }, { isHttpsOrdered: true, openSecureImages: 4 }, true, false],
    ['ordered by the helper, of a server that is connecting, the first', { rankClass: unplaced }, { isHttpsOrdered: true, openSecureImages: 1, isConnecting: () => true }, false, true],
    ['ordered by the helper, of a server that is connecting, another', { rankClass: unplaced }, { isHttpsOrdered: true, openSecureImages: 1, isConnecting: () => true, openTo: () => 1 }, false, false],
    ['ordered by the helper, of a server that is connecting, in view', { rankClass: inView }, { isHttpsOrdered: true, openSecureImages: 1, isConnecting: () => true, openTo: () => 1 }, true, true],
    ['ordered by the helper, of a server that is connecting, off screen beside what is urgent', {}, { isHttpsOrdered: true, isUrgent: true, isConnecting: () => true }, true, false],
    ['without TLS the link decides', { origin: PLAIN, bytes: 700 }, { isHttpsOrdered: true, openSecureImages: 6 }, true, true],
  ])('%s', (_, properties, load, isLaidOut, expected) => expect(mayGo(image(properties), { ...IDLE, ...load }, isLaidOut)).toBe(expected));
});

const candidate: fc.Arbitrary<Candidate> = fc.record({ rankClass: fc.constantFrom(...Object.values(RankClass)), origin: fc.constantFrom(TLS, OTHER, PLAIN), bytes: fc.integer({ min: 700, max: LARGE }) });
/** In the order of their ranks. */
const heldImages = fc.array(candidate, { maxLength: 60 }).map((all) => all.toSorted((a, b) => a.rankClass - b.rankClass));
const anyLoad: fc.Arbitrary<LinkLoad> = fc
  .record({ bytesToCome: fc.oneof(fc.constant(0), fc.nat(200_000)), connectingBytes: fc.nat(50_000), isUrgent: fc.boolean(), isHttpsOrdered: fc.boolean(), openSecureImages: fc.nat(12), rateBitsPerSecond: fc.integer({ min: 50_000, max: 100_000_000 }), open: fc.nat(9), isConnecting: fc.boolean() })
  .map(({ rateBitsPerSecond, open, isConnecting, ...load }) => ({ ...load, link: { ...INITIAL_LINK, rateBitsPerSecond }, openTo: () => open, isConnecting: (origin) => isConnecting && origin === TLS }));

describe('admit', () => {
  it('admits nothing twice and nothing that is not held, in the order of ranks', () => {
    fc.assert(
      fc.property(heldImages, anyLoad, fc.boolean(), (held, load, isLaidOut) => {
        const places = admit(held, load, isLaidOut).map((each) => held.indexOf(each));
        expect(places).not.toContain(-1);
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
      }),
    );
  });

  it('never leaves the link idle while something is held (work conservation)', () => {
    fc.assert(
      fc.property(heldImages, fc.boolean(), (held, isLaidOut) => {
        fc.pre(held.length > 0);
        expect(admit(held, IDLE, isLaidOut)).not.toEqual([]);
      }),
    );
  });

  it('puts nothing before what is needed sooner at the same origin (priority)', () => {
    fc.assert(
      fc.property(heldImages, anyLoad, fc.boolean(), (held, load, isLaidOut) => {
        const admitted = admit(held, load, isLaidOut);
        for (const later of admitted) for (const sooner of held.slice(0, held.indexOf(later))) if (sooner.origin === later.origin && sooner.rankClass < later.rankClass) expect(admitted).toContain(sooner);
      }),
    );
  });

  it('admits everything in the end as the link brings what was asked for (no starvation), each image exactly once', () => {
    fc.assert(
      fc.property(heldImages, fc.boolean(), (held, isLaidOut) => {
        let waiting = held;
        const admitted: Candidate[] = [];
        while (waiting.length > 0) {
          const now = admit(waiting, IDLE, isLaidOut);
          expect(now.length).toBeGreaterThan(0);
          admitted.push(...now);
          waiting = waiting.filter((each) => !now.includes(each));
        }
        expect(new Set(admitted)).toEqual(new Set(held));
        expect(admitted).toHaveLength(held.length);
      }),
    );
  });

  it('asks of origins without TLS that connect, beyond the first of each, no more than a window', () => {
    fc.assert(
      fc.property(heldImages, anyLoad, fc.boolean(), (held, load, isLaidOut) => {
        const plain = held.map((each) => ({ ...each, origin: each.origin.replace('https:', 'http:') })).filter(({ rankClass }) => rankClass !== inView);
        const admitted = admit(plain, { ...load, connectingBytes: 0, openTo: () => 0, isConnecting: () => true }, isLaidOut);
        const others = admitted.filter(({ origin }, index) => admitted.findIndex((first) => first.origin === origin) < index);
        const before = others.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, 0);
        const windowBytes = FILL_WINDOW_BDPS * Math.max(MIN_BDP_BYTES, bdpBytes(load.link));
        if (others.length > 1) expect(before).toBeLessThan(windowBytes);
      }),
    );
  });

  it('leaves two connections of an origin without TLS to what the layout shows to be in view', () => {
    fc.assert(
      fc.property(heldImages, anyLoad, (held, load) => {
        const others = admit(held, load, false).filter(({ rankClass, origin }) => rankClass !== inView && origin === PLAIN);
        expect(others.length).toBeLessThanOrEqual(Math.max(0, 4 - load.openTo(PLAIN)));
      }),
    );
  });

  it('puts beside what is in view no more than a window', () => {
    fc.assert(
      fc.property(heldImages, anyLoad, (held, load) => {
        fc.pre(held.some(({ rankClass }) => rankClass === inView));
        const isOrdered = (origin: string): boolean => load.isHttpsOrdered && origin.startsWith('https:');
        const others = admit(held, load, true).filter(({ rankClass, origin }) => rankClass !== inView && !load.isConnecting(origin) && !isOrdered(origin));
        const before = others.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, 0);
        const windowBytes = FILL_WINDOW_BDPS * Math.max(MIN_BDP_BYTES, bdpBytes(load.link));
        if (others.length > 1) expect(before).toBeLessThan(windowBytes);
      }),
    );
  });

  it('asks the helper for no more images of https: that can wait than the browser has places', () => {
    fc.assert(
      fc.property(heldImages, anyLoad, fc.boolean(), (held, load, isLaidOut) => {
        const others = admit(held, { ...load, isHttpsOrdered: true }, isLaidOut).filter(({ rankClass, origin }) => rankClass !== inView && origin.startsWith('https:'));
        expect(others.length).toBeLessThanOrEqual(Math.max(0, (isLaidOut ? 10 : 2) - load.openSecureImages));
      }),
    );
  });

  it('counts what is in view against the window of the rest', () => {
    const held = [image({ rankClass: inView }), image(), image()];
    expect(admit(held, IDLE, true)).toEqual(held.slice(0, 1));
  });

  it('asks an origin with TLS for one image until it has answered', () => {
    const held = [1, 2, 3].map(() => image({ rankClass: inView }));
    expect(admit(held, { ...IDLE, isConnecting: () => true }, true)).toHaveLength(1);
  });
});
