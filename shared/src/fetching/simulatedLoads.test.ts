import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import demoLoads from '../testing/demoLoads.json' with { type: 'json' };
import { besides, whileKnown } from '../testing/knowledge.ts';
import type { LoadTrace, Step, TracedObject } from '../testing/loadTrace.ts';
import { restsMs } from '../testing/rests.ts';
import type { SimulatedProfile } from '../testing/simulatedLink.ts';
import { simulateLoad, type SimulatedLoad, type SimulatedTransfer } from '../testing/simulatedLoad.ts';
import { INITIAL_LINK, type LinkEstimate } from '../estimation/link.ts';
import { FetchClass } from './fetchObject.ts';
import type { FetchScheme } from './fetchScheduler.ts';
import { fetchScheme } from './schemes.ts';

/** Two as the benchmark's, but umts with twice its round trip (e2e/link/profile/profile.go), and one as of a home. */
const UMTS: SimulatedProfile = { name: 'umts', rateBitsPerSecond: 384_000, rttMs: 300, queueBytes: 65_536 };
const PROFILES: readonly SimulatedProfile[] = [
  { name: '3g-fast', rateBitsPerSecond: 1_600_000, rttMs: 150, queueBytes: 65_536 },
  UMTS,
  { name: 'fast', rateBitsPerSecond: 20_000_000, rttMs: 30, queueBytes: 75_000 },
];
/** Loads of the pages of our own making, over 3g-fast; `e2e/bench/writeLoadTraces.ts` wrote them. */
const DEMO_LOADS = demoLoads as unknown as readonly LoadTrace[];
const KINDS = [
  { kind: 'HTTP/2', isMultiplexed: true, isClear: false },
  { kind: 'HTTP/1.1 with TLS', isMultiplexed: false, isClear: false },
  { kind: 'HTTP/1.1 without', isMultiplexed: false, isClear: true },
];
const DEMO_CASES = PROFILES.flatMap((profile) => KINDS.flatMap((kind) => DEMO_LOADS.map((trace) => ({ page: trace.name, link: profile.name, profile, ...kind, trace: kind.isClear ? clear(trace) : trace }))));

/** What may be collected before it is dealt to connections: foreseen, over HTTP/1.1 (schemes.ts). */
const COLLECT_MS = 10;
/** In all, while something is needed that was not asked for: TCP begins slowly, and a window is filled by estimates. One thing after the other takes one for each. */
const RTTS_IN_ALL = 3;
const ROUNDING_MS = 0.001;
/** As in link.ts. */
const [MIN_PATIENCE_MS, PATIENCE_RTTS] = [250, 4];
/** As in streamCredits.ts: what comes in any case, of the first that waits. */
const STARVING = { bytes: 4_000, everyMs: 2_000 };
/** A sign of life is given each 20 s, and its bytes stand in the queue of the slowest link for some more. */
const STILL_MS = 25_000;
/** Handshakes, a patience and some round trips. */
const RESTS_MS = 5_000;
const RUNS = 100;

function clear(trace: LoadTrace): LoadTrace {
  const withoutTls = <T extends { readonly origin: string }>(each: T): T => ({ ...each, origin: each.origin.replace('https:', 'http:') });
  return { ...trace, prepared: trace.prepared.map(withoutTls), objects: trace.objects.map(withoutTls) };
}

const fetchClass = fc.constantFrom(...Object.values(FetchClass));
const randomObject = fc.record({
  server: fc.nat(4),
  bytes: fc.oneof(fc.nat(5_000), fc.nat(150_000)),
  expectedBytes: fc.integer({ min: 500, max: 50_000 }),
  hidesLength: fc.nat(7).map((n) => n === 0),
  thinkMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(200)),
  knownMs: fc.nat(3_000),
  firstClass: fetchClass,
  rankedAfterMs: fc.nat(2_000),
  rankedClass: fetchClass,
  awaitedAfterMs: fc.option(fc.nat(1_500)),
});
const randomTrace = fc
  .record({ objects: fc.array(randomObject, { minLength: 1, maxLength: 40 }), preparedMs: fc.array(fc.option(fc.nat(2_000)), { minLength: 5, maxLength: 5 }), clearServers: fc.nat(5) })
  .map(({ objects, preparedMs, clearServers }): LoadTrace => {
    const originOf = (server: number): string => `${server < clearServers ? 'http' : 'https'}://${server}.test`;
    return {
      name: 'random',
      prepared: preparedMs.flatMap((atMs, server) => (atMs === null ? [] : [{ origin: originOf(server), atMs }])),
      objects: objects.map(({ server, knownMs, firstClass, rankedAfterMs, rankedClass, awaitedAfterMs, ...sizes }): TracedObject => {
        const moments = [0, rankedAfterMs, awaitedAfterMs ?? 0].sort((a, b) => a - b);
        const steps = moments.map((afterMs) => ({
          atMs: knownMs + afterMs,
          fetchClass: afterMs >= rankedAfterMs ? rankedClass : firstClass,
          isAwaited: awaitedAfterMs !== null && afterMs >= awaitedAfterMs,
        }));
        return { ...sizes, origin: originOf(server), isNeeded: steps.some((step) => step.fetchClass <= FetchClass.inView), steps };
      }),
    };
  });
const randomLoad = fc.record({ trace: randomTrace, profile: fc.constantFrom(...PROFILES), isMultiplexed: fc.boolean() });

/**
 * What the helper has no rule to keep back: layout files and images in view, and what the browser asks for where not its
 * number or its bytes are the gate's and the credits' concern (docs/scheduling.md, "The helper's windows").
 */
function isPressing({ object: { origin } }: SimulatedTransfer, isMultiplexed: boolean) {
  return ({ fetchClass: known, isAwaited }: Step): boolean => known <= FetchClass.inView || (isAwaited && (isMultiplexed || origin.startsWith('http:')));
}

/** While what is pressing has not come the link never rests for more than a round trip, and while it was not even asked for not again and again. */
function expectFullPipe(load: SimulatedLoad, isMultiplexed: boolean): void {
  const { rttMs } = load.profile;
  const collectMs = isMultiplexed ? 0 : COLLECT_MS;
  for (const transfer of load.transfers) {
    const holds = isPressing(transfer, isMultiplexed);
    for (const within of whileKnown(transfer, holds, transfer.endedMs)) {
      expect(Math.max(0, ...restsMs(load, transfer, within))).toBeLessThanOrEqual(rttMs + collectMs + ROUNDING_MS);
    }
    for (const within of whileKnown(transfer, holds, transfer.askedMs)) {
      expect(restsMs(load, transfer, within).reduce((sum, restMs) => sum + restMs, 0)).toBeLessThanOrEqual(RTTS_IN_ALL * rttMs + collectMs);
    }
  }
}

function longestRestMs(load: SimulatedLoad, transfer: SimulatedTransfer): number {
  return Math.max(0, ...whileKnown(transfer, () => true, transfer.endedMs).flatMap((within) => restsMs(load, transfer, within)));
}

describe('a pipe that is always full', () => {
  it.each(DEMO_CASES)('$page over $link, $kind: no rest of more than a round trip while anything is known and has not come that the first screen shows', ({ trace, profile, isMultiplexed }) => {
    const load = simulateLoad(trace, profile, { isMultiplexed });
    expectFullPipe(load, isMultiplexed);
    for (const transfer of load.transfers) if (transfer.traced.isNeeded) expect(longestRestMs(load, transfer)).toBeLessThanOrEqual(profile.rttMs + COLLECT_MS);
  });

  it('any load: nor while what is known to be needed, or asked for by the browser, has not come', () => {
    fc.assert(fc.property(randomLoad, ({ trace, profile, isMultiplexed }) => expectFullPipe(simulateLoad(trace, profile, { isMultiplexed }), isMultiplexed)), { numRuns: RUNS });
  });

  it('any load: guesses wait beside what is urgent and silent for its patience, and no longer (ADR 37)', () => {
    fc.assert(
      fc.property(randomLoad, ({ trace, profile, isMultiplexed }) => {
        const load = simulateLoad(trace, profile, { isMultiplexed });
        // before the first handshake the round trip is an assumed one; the last that it counts from may have begun one later
        const patienceMs = Math.max(MIN_PATIENCE_MS, PATIENCE_RTTS * Math.max(profile.rttMs, INITIAL_LINK.rttMs));
        for (const transfer of load.transfers) expect(longestRestMs(load, transfer)).toBeLessThanOrEqual(patienceMs + 2 * profile.rttMs);
      }),
      { numRuns: RUNS },
    );
  });

  it('is not, where one thing is asked for after the other', () => {
    const one = (link: () => LinkEstimate): FetchScheme => ({
      ...fetchScheme({ prioritizing: true, reordering: true, connectionManagement: true }, link),
      admission: ({ urgentBytesToCome, otherBytesToCome }) => () => urgentBytesToCome.length + otherBytesToCome.length === 0,
    });
    for (const { trace, profile, isMultiplexed } of DEMO_CASES) {
      if (profile.name === 'fast') continue;
      const load = simulateLoad(trace, profile, { isMultiplexed, schemeOf: one });
      expect(() => expectFullPipe(load, isMultiplexed)).toThrow();
    }
  });
});

describe('what is in view comes first', () => {
  it('any load: beside an answer that is needed comes of others no more than was under way, and two windows', () => {
    fc.assert(
      fc.property(randomLoad, ({ trace, profile, isMultiplexed }) => {
        const load = simulateLoad(trace, profile, { isMultiplexed });
        for (const transfer of load.transfers) {
          for (const { fromMs, toMs } of whileKnown(transfer, ({ fetchClass: known }) => known <= FetchClass.inView, transfer.endedMs)) {
            const within = { fromMs: Math.max(fromMs, transfer.begunMs), toMs };
            if (within.fromMs >= within.toMs) continue;
            const { underWayBytes, cameBytes } = besides(load, within, isMultiplexed);
            const turns = 1 + (within.toMs - within.fromMs) / STARVING.everyMs;
            // one window beside it, and the second when it is silent for its patience, as in a queue that is long
            expect(cameBytes - underWayBytes).toBeLessThanOrEqual(2 * load.mostBdpBytes + turns * STARVING.bytes);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** From asking to the end nothing of it came for so long. */
function longestStandMs({ askedMs, pieces, endedMs }: SimulatedTransfer): number {
  const moments = [askedMs, ...pieces.map(({ atMs }) => atMs), endedMs];
  return Math.max(...moments.slice(1).map((atMs, place) => atMs - (moments[place] ?? askedMs)));
}

describe('everything comes', () => {
  it('any load: each object is asked for once, comes whole, over HTTP/2 with credit for each byte, and none starves', () => {
    fc.assert(
      fc.property(randomLoad, ({ trace, profile, isMultiplexed }) => {
        const { transfers } = simulateLoad(trace, profile, { isMultiplexed });
        for (const transfer of transfers) {
          const { sends, pieces, given, traced: { bytes } } = transfer;
          expect(longestStandMs(transfer)).toBeLessThan(STILL_MS);
          const sum = (all: typeof pieces): number => all.reduce((total, piece) => total + piece.bytes, 0);
          expect([sends, sum(pieces)]).toEqual([1, bytes]);
          if (isMultiplexed) expect(sum(given)).toBeGreaterThanOrEqual(bytes);
        }
        // and the link is used for it: what is left when all is known comes as fast as it can, but for some rests
        const bytes = transfers.reduce((total, { traced }) => total + traced.bytes, 0);
        const knownMs = Math.max(...trace.objects.flatMap(({ steps }) => steps.map(({ atMs }) => atMs)));
        expect(Math.max(...transfers.map(({ endedMs }) => endedMs))).toBeLessThan(knownMs + (bytes * 8_000) / profile.rateBitsPerSecond + RESTS_MS);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(KINDS)('nor does an image off screen, however long what is needed comes, over $kind', ({ isMultiplexed, isClear }) => {
    const origin = isClear ? 'http://a.test' : 'https://a.test';
    const expected = { origin, expectedBytes: 20_000 };
    const images = Array.from({ length: 4 }, (): TracedObject => ({ ...expected, bytes: 140_000, isNeeded: false, steps: [{ atMs: 0, fetchClass: FetchClass.offScreen, isAwaited: true }] }));
    // some more than the link brings, for two minutes
    const needed = Array.from({ length: 60 }, (_each, n): TracedObject => ({ ...expected, bytes: 100_000, isNeeded: true, steps: [{ atMs: 500 + 2_000 * n, fetchClass: FetchClass.inView, isAwaited: true }] }));
    const { transfers } = simulateLoad({ name: 'long', prepared: [], objects: [...images, ...needed] }, UMTS, { isMultiplexed });
    expect(Math.max(...transfers.slice(0, images.length).map(longestStandMs))).toBeLessThan(STILL_MS);
  });
});
