import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import demoLoads from '../testing/demoLoads.json' with { type: 'json' };
import { FetchClass } from '../fetching/fetchObject.ts';
import type { LoadTrace } from '../testing/loadTrace.ts';
import type { SimulatedProfile } from '../testing/simulatedLink.ts';
import { simulateLoad, type SimulatedLoad } from '../testing/simulatedLoad.ts';
import { LinkEstimator } from './link.ts';
import { seenRate, type Arrival } from './seenRate.ts';

const MIN_BYTES = 40_000;
/** Brought in a second, 800 kbit/s. */
const SECOND: Arrival = { fromMs: 1_000, toMs: 2_000, bytes: 100_000 };
const RATE = 800_000;

describe('what was seen to come', () => {
  it.each<[string, number | null, Arrival[]]>([
    ['nothing', null, []],
    ['too little', null, [{ ...SECOND, bytes: MIN_BYTES - 1 }]],
    ['one transfer', RATE, [SECOND]],
    ['two that shared the link', 2 * RATE, [SECOND, SECOND]],
    ['two in turn, the second faster', 2 * RATE, [SECOND, { fromMs: 2_000, toMs: 3_000, bytes: 200_000 }]],
    ['two with a rest in between', RATE, [SECOND, { ...SECOND, fromMs: 5_000, toMs: 6_000 }]],
    ['one that was begun before the span of another, which counts as a whole', 1.5 * RATE, [SECOND, { fromMs: 0, toMs: 2_000, bytes: 200_000 }]],
    ['a stroke, over half a second', RATE, [{ fromMs: 1_000, toMs: 1_010, bytes: 50_000 }]],
    ['small ones that add up', RATE, Array.from({ length: 10 }, (_, i) => ({ fromMs: 1_000 + 100 * i, toMs: 1_100 + 100 * i, bytes: 10_000 }))],
  ])('%s', (_case, rate, arrivals) => {
    if (rate === null) expect(seenRate(arrivals, MIN_BYTES)).toBeNull();
    else expect(seenRate(arrivals, MIN_BYTES)).toBeCloseTo(rate);
  });
});

/** As those of simulatedLoads.test.ts, and one that is never full. */
const PROFILES: readonly SimulatedProfile[] = [
  { name: '3g-fast', rateBitsPerSecond: 1_600_000, rttMs: 150, queueBytes: 65_536 },
  { name: 'umts', rateBitsPerSecond: 384_000, rttMs: 300, queueBytes: 65_536 },
  { name: 'fast', rateBitsPerSecond: 20_000_000, rttMs: 30, queueBytes: 75_000 },
];
const DEMO_LOADS = demoLoads as unknown as readonly LoadTrace[];
const DEMO_CASES = PROFILES.flatMap((profile) => [true, false].flatMap((isMultiplexed) => DEMO_LOADS.map((trace) => ({ page: trace.name, link: profile.name, profile, trace, isMultiplexed }))));
/** As the helper's connections are made; a page that the link is hardly full with shows less. */
const LEAST_SHARE = 0.6;
const ROUNDING = 1e-9;

/** What an estimator says of a load that it has seen. */
function estimatorOf({ transfers, profile }: SimulatedLoad): LinkEstimator {
  const estimator = new LinkEstimator();
  estimator.roundTrip(profile.rttMs, 0);
  const ended = transfers.filter(({ endedMs }) => endedMs < Infinity).toSorted((a, b) => a.endedMs - b.endedMs);
  for (const { askedMs, begunMs, endedMs, traced } of ended) estimator.add({ startMs: askedMs, setup: 'none', headersMs: begunMs, endMs: endedMs, bytes: traced.bytes });
  return estimator;
}

const randomTrace = fc
  .array(fc.record({ server: fc.nat(3), bytes: fc.oneof(fc.nat(5_000), fc.nat(150_000)), thinkMs: fc.oneof(fc.constant(0), fc.nat(300)), atMs: fc.nat(3_000), fetchClass: fc.constantFrom(...Object.values(FetchClass)) }), { minLength: 1, maxLength: 40 })
  .map((objects): LoadTrace => ({
    name: 'random', prepared: [],
    objects: objects.map(({ server, bytes, thinkMs, atMs, fetchClass }) => ({ origin: `https://${server}.test`, bytes, expectedBytes: Math.max(500, bytes), thinkMs, isNeeded: true, steps: [{ atMs, fetchClass, isAwaited: true }] })),
  }));

describe('over a simulated link', () => {
  it('is never more than the rate of the link, whatever comes, is lost and waits for it', () => {
    fc.assert(
      fc.property(randomTrace, fc.constantFrom(...PROFILES), fc.boolean(), (trace, profile, isMultiplexed) => {
        const seen = estimatorOf(simulateLoad(trace, profile, { isMultiplexed })).seenRate;
        if (seen !== null) expect(seen).toBeLessThanOrEqual(profile.rateBitsPerSecond * (1 + ROUNDING));
      }),
      { numRuns: 200 },
    );
  });

  it.each(DEMO_CASES)('$page over $link (multiplexed: $isMultiplexed): never more than its rate, and near to it where the link is slow', ({ trace, profile, isMultiplexed }) => {
    const seen = estimatorOf(simulateLoad(trace, profile, { isMultiplexed })).seenRate ?? 0;
    expect(seen).toBeLessThanOrEqual(profile.rateBitsPerSecond * (1 + ROUNDING));
    if (profile.name !== 'fast') expect(seen).toBeGreaterThan(LEAST_SHARE * profile.rateBitsPerSecond);
  });

  it('is so where the rate that windows are reckoned with is more than the link has', () => {
    const [slow] = PROFILES;
    const rates = DEMO_CASES.filter(({ profile }) => profile === slow).map(({ trace, profile, isMultiplexed }) => estimatorOf(simulateLoad(trace, profile, { isMultiplexed })).estimate().rateBitsPerSecond);
    expect(Math.max(...rates)).toBeGreaterThan(1.1 * (slow?.rateBitsPerSecond ?? 0));
  });
});
