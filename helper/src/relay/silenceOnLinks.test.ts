import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import demoLoads from '../../../shared/src/testing/demoLoads.json' with { type: 'json' };
import type { LoadTrace } from '../../../shared/src/testing/loadTrace.ts';
import type { Interval, SimulatedProfile } from '../../../shared/src/testing/simulatedLink.ts';
import { simulateLoad } from '../../../shared/src/testing/simulatedLoad.ts';
import { RelayHealth } from './relayHealth.ts';

/** As the benchmark's (e2e/link/profile/profile.go), and one as of a home. */
const PROFILES: readonly SimulatedProfile[] = [
  { name: '3g-fast', rateBitsPerSecond: 1_600_000, rttMs: 150, queueBytes: 65_536 },
  { name: 'umts', rateBitsPerSecond: 384_000, rttMs: 300, queueBytes: 65_536 },
  { name: 'sat', rateBitsPerSecond: 2_000_000, rttMs: 600, queueBytes: 131_072 },
  { name: 'fast', rateBitsPerSecond: 20_000_000, rttMs: 30, queueBytes: 75_000 },
];
const LOADS = (demoLoads as unknown as readonly LoadTrace[]).flatMap((trace) =>
  PROFILES.flatMap((profile) => [true, false].map((isMultiplexed) => ({ name: `${trace.name} over ${profile.name}, ${isMultiplexed ? 'HTTP/2' : 'HTTP/1.1'}`, profile, load: patternOf(trace, profile, isMultiplexed) }))),
);
/** A page is read for so long after its last byte. */
const READING_MS = 60_000;
/** A frame, a record of TLS, and headers of TCP and IP, each way. */
const BEAT_BYTES = 2 * (17 + 22 + 52);
/** TCP: when a ClientHello goes on a direct connection; requests go a round trip later. */
const DIRECT_RTTS = 1;
/** A lost packet goes again after a round trip and so much (RFC 6298, and Linux's TCP_RTO_MIN). */
const REPEAT_MS = 200;
/** As in relayHealth.ts. */
const [MISSED_RTTS, MIN_MISSED_MS, MIN_QUICK_MS, MAX_QUICK_MS, RACE_RTTS] = [1.5, 200, 50, 300, 2];
const ROUNDING_MS = 0.001;
const RUNS = 60;

/** What goes and comes over a carrier in a load, in the order of time. */
interface Pattern {
  readonly moments: readonly { readonly atMs: number; readonly what: 'heard' | 'used' }[];
  /** When the way down was full. */
  readonly busy: readonly Interval[];
  readonly bytes: number;
  readonly endMs: number;
}

interface Outcome {
  pings: number;
  races: number[];
  /** Direct connections that were there before a byte of the relay. */
  overtaken: number;
  heardMs: number;
  /** When something came last that was no answer to a beat. */
  otherMs: number;
}

function patternOf(trace: LoadTrace, profile: SimulatedProfile, isMultiplexed: boolean): Pattern {
  const { transfers, busy } = simulateLoad(trace, profile, { isMultiplexed });
  const heard = transfers.flatMap(({ pieces }) => pieces.map(({ atMs }) => ({ atMs, what: 'heard' as const })));
  const used = transfers.map(({ askedMs }) => ({ atMs: askedMs, what: 'used' as const }));
  const moments = [...heard, ...used].sort((a, b) => a.atMs - b.atMs);
  return { moments, busy, bytes: transfers.reduce((sum, { pieces }) => sum + pieces.reduce((own, { bytes }) => own + bytes, 0), 0), endMs: moments.at(-1)?.atMs ?? 0 };
}

/**
 * Lets a pattern come over a link.
 *
 * @param isLost whether the next beat's packet, or its answer's, is lost once
 * @param deadMs from then on nothing passes
 */
function pass({ moments, busy, endMs }: Pattern, { rttMs }: SimulatedProfile, isLost: () => boolean = () => false, deadMs = Infinity): Outcome {
  const health = new RelayHealth();
  const outcome: Outcome = { pings: 0, races: [], overtaken: 0, heardMs: 0, otherMs: 0 };
  health.advance(0);
  health.connected(rttMs, 0);
  const answers: { readonly atMs: number; readonly askedMs: number }[] = [];
  const heard = (atMs: number): void => {
    const raceMs = outcome.races.at(-1) ?? Infinity;
    if (raceMs > outcome.heardMs && atMs - raceMs > DIRECT_RTTS * rttMs) outcome.overtaken += 1;
    outcome.heardMs = atMs;
  };
  const untilMs = endMs + READING_MS;
  for (let place = 0; ; ) {
    const moment = moments[place];
    const [answer] = answers;
    const nowMs = Math.min(moment?.atMs ?? Infinity, answer?.atMs ?? Infinity, health.nextTimerMs);
    if (nowMs > untilMs) return outcome;
    if (moment?.atMs === nowMs) {
      place += 1;
      if (moment.what === 'used') health.used();
      else if (nowMs < deadMs) {
        health.heard(nowMs);
        heard(nowMs);
        outcome.otherMs = nowMs;
      }
    } else if (answer?.atMs === nowMs) {
      answers.shift();
      if (nowMs >= deadMs) continue;
      health.answered(nowMs - answer.askedMs, nowMs);
      heard(nowMs);
    } else {
      for (const command of health.advance(nowMs)) {
        if (command === 'give up') return outcome;
        if (command === 'race') outcome.races.push(nowMs);
        if (command !== 'ping') continue;
        outcome.pings += 1;
        const answeredMs = nowMs + rttMs + (isLost() ? rttMs + REPEAT_MS : 0);
        // it stands behind what fills the link then
        answers.push({ askedMs: nowMs, atMs: busy.find(({ fromMs, toMs }) => fromMs <= answeredMs && answeredMs < toMs)?.toMs ?? answeredMs });
      }
    }
  }
}

describe.each(LOADS)('$name', ({ profile, load }) => {
  const { rttMs } = profile;

  it('a relay on a link that is merely slow is never raced, and its beats are a small part of the bytes', () => {
    const { races, pings } = pass(load, profile);
    expect(races).toEqual([]);
    expect(pings * BEAT_BYTES).toBeLessThan(Math.max(0.02 * load.bytes, 40 * BEAT_BYTES));
  });

  it('whichever beats are lost once, the direct way is never taken', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), (losses) => {
        expect(pass(load, profile, () => losses.next().value === true).overtaken).toBe(0);
      }),
      { numRuns: RUNS },
    );
  });

  it('a relay that is dead from any moment on is raced a missed beat and two round trips after a beat, which is asked for when the silence has become twice as long at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Math.ceil(load.endMs) }), (deadMs) => {
        const { races, heardMs, otherMs } = pass(load, profile, undefined, deadMs);
        const quick = (rtts: number): number => Math.min(MAX_QUICK_MS, Math.max(MIN_QUICK_MS, rtts * rttMs));
        const missedMs = Math.max(MIN_MISSED_MS, MISSED_RTTS * rttMs);
        expect(races[0]! - heardMs).toBeLessThanOrEqual(2 * Math.max(heardMs - otherMs, quick(1)) + missedMs + quick(RACE_RTTS) + ROUNDING_MS);
        expect(races[0]! - heardMs).toBeGreaterThanOrEqual(missedMs + quick(RACE_RTTS) - ROUNDING_MS);
      }),
      { numRuns: RUNS },
    );
  });
});
