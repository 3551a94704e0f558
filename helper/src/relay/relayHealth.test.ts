import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { RelayHealth, type HealthCommand } from './relayHealth.ts';

const RTT_MS = 140;
/** Of that round trip. */
const [BEAT_MS, MISSED_MS, RACE_MS] = [140, 210, 280];

let health: RelayHealth;
let nowMs: number;

beforeEach(() => {
  health = new RelayHealth();
  nowMs = 0;
});

/** Lets time pass. @returns what was to be done, and when */
function until(ms: number): [number, HealthCommand][] {
  const done: [number, HealthCommand][] = [];
  while (health.nextTimerMs <= ms) {
    nowMs = Math.max(nowMs, health.nextTimerMs);
    done.push(...health.advance(nowMs).map((command): [number, HealthCommand] => [nowMs, command]));
  }
  nowMs = ms;
  return done;
}

function up(): void {
  health.advance(nowMs);
  health.connected(RTT_MS, nowMs);
}

describe('a relay that answers', () => {
  it('is asked for a beat each ten seconds, and stays', () => {
    up();
    expect(until(10_000)).toEqual([[10_000, 'ping']]);
    health.answered(RTT_MS, nowMs);
    expect(until(20_000)).toEqual([[20_000, 'ping']]);
    expect(health.isUp).toBe(true);
  });

  it('is asked with what is asked for after a silence, then each time after twice as long, up to ten seconds', () => {
    up();
    until(5_000);
    health.used();
    const pings: number[] = [];
    while (pings.length < 10) {
      for (const [ms] of until(health.nextTimerMs)) {
        pings.push(ms);
        health.answered(RTT_MS, ms + RTT_MS);
      }
    }
    expect(pings[0]).toBe(5_000);
    const silences = pings.slice(1).map((ms, place) => ms - pings[place]! - RTT_MS);
    expect(silences).toEqual([2, 4, 8, 16, 32, 64].map((times) => times * BEAT_MS).concat([10_000, 10_000, 10_000]));
  });

  it('is asked soon again when bytes went or came', () => {
    for (const event of [() => health.used(), () => health.heard(nowMs)]) {
      health = new RelayHealth();
      nowMs = 0;
      up();
      until(9_000);
      event();
      expect(health.nextTimerMs).toBeLessThanOrEqual(nowMs + BEAT_MS);
    }
  });

  it('is waited for longer where its answers take longer by turns, and not where they stand in the queue of a page', () => {
    const missedMs = (): number => {
      const [[askedMs] = [0]] = until(health.nextTimerMs);
      return health.nextTimerMs - askedMs;
    };
    up();
    expect(missedMs()).toBe(MISSED_MS);
    health.heard(nowMs);
    health.answered(20 * RTT_MS, nowMs);
    expect(missedMs()).toBe(MISSED_MS);
    for (let beat = 0; beat < 20; beat += 1) {
      health.answered(beat % 2 === 0 ? RTT_MS : 3 * RTT_MS, nowMs);
      until(health.nextTimerMs);
    }
    expect(health.nextTimerMs - nowMs).toBeGreaterThan(3 * RTT_MS);
  });

  it('need not be asked while bytes come', () => {
    up();
    health.used();
    for (let at = 0; at < 5_000; at += 100) {
      health.heard(at);
      expect(until(at + 99)).toEqual([]);
    }
  });

  it('is there while bytes come, although its answer to a beat stands in a queue', () => {
    up();
    until(10_000);
    for (let at = 10_000; at < 20_000; at += 100) {
      health.heard(at);
      until(at + 99);
      expect(health.isUp).toBe(true);
    }
  });
});

describe('a relay that is silent', () => {
  beforeEach(() => {
    up();
    health.used();
  });

  it('is doubted after a missed beat, and raced after so long again', () => {
    expect(until(BEAT_MS + MISSED_MS)).toEqual([[BEAT_MS, 'ping']]);
    expect([health.isUp, health.isSilent]).toEqual([false, false]);
    expect(until(10_000)).toEqual([[BEAT_MS + MISSED_MS + RACE_MS, 'race']]);
    expect(health.isSilent).toBe(true);
    health.heard(nowMs);
    expect(health.isSilent).toBe(false);
  });

  it('is up again with the next byte, and raced anew in the next silence', () => {
    until(1_000);
    health.heard(nowMs);
    expect(health.isUp).toBe(true);
    // its beat is still to be answered
    expect(until(1_000 + MISSED_MS + RACE_MS)).toEqual([[1_000 + MISSED_MS + RACE_MS, 'race']]);
  });

  it('is given up after fifteen seconds', () => {
    expect(until(15_000).at(-1)).toEqual([15_000, 'give up']);
    expect(until(15_250)).toEqual([[15_250, 'connect']]);
  });

  it('is given up soon where the direct way has worked meanwhile', () => {
    until(800);
    health.overtaken();
    expect(until(5_000)[0]).toEqual([1_500, 'give up']);
  });

  it('is not given up for what has worked before the silence', () => {
    health.overtaken();
    expect(until(10_000).map(([, command]) => command)).toEqual(['ping', 'race']);
  });
});

describe('a relay that is sent much', () => {
  const MUCH_BYTES = 64_000;
  const LITTLE_BYTES = 16_384;
  /** As long as it may take at 128 kbit/s. */
  const MUCH_MS = MUCH_BYTES / 16;

  /** A beat is asked for as soon as that has left. @returns how long is waited for it */
  function missedMs(sentBytes: number): number {
    nowMs = health.nextTimerMs;
    health.sent(sentBytes, nowMs);
    expect(health.advance(nowMs)).toEqual(['ping']);
    return health.nextTimerMs - nowMs;
  }

  function answerAfter(ms: number): void {
    nowMs += ms;
    health.answered(ms, nowMs);
  }

  beforeEach(() => {
    up();
    health.used();
  });

  it('has as long as that takes at 128 kbit/s, which a page\'s requests have not', () => {
    expect(missedMs(LITTLE_BYTES)).toBe(MISSED_MS);
    answerAfter(RTT_MS);
    expect(missedMs(LITTLE_BYTES + MUCH_BYTES)).toBe(MISSED_MS + MUCH_MS);
  });

  it('has less where a beat has told that it goes faster, which may be half as fast by the next time; its round trips are not longer for that', () => {
    missedMs(MUCH_BYTES);
    answerAfter(1_000);
    expect(missedMs(2 * MUCH_BYTES)).toBeCloseTo(MISSED_MS + 2 * 1_000);
    answerAfter(RTT_MS);
    expect(missedMs(2 * MUCH_BYTES)).toBe(MISSED_MS);
  });

  it('has no more for what has left long ago, although no beat has told that it has arrived', () => {
    health.sent(MUCH_BYTES, nowMs);
    for (nowMs += BEAT_MS / 2; nowMs < MUCH_MS; nowMs += BEAT_MS / 2) {
      health.sent(MUCH_BYTES, nowMs);
      health.heard(nowMs);
    }
    expect(missedMs(MUCH_BYTES)).toBe(MISSED_MS);
  });

  it('is given up all the same when it is gone, so long later', () => {
    missedMs(MUCH_BYTES);
    expect(until(BEAT_MS + MISSED_MS + MUCH_MS + RACE_MS)).toEqual([[BEAT_MS + MISSED_MS + MUCH_MS + RACE_MS, 'race']]);
    health.overtaken();
    expect(until(20_000)[0]).toEqual([1_500 + MUCH_MS, 'give up']);
  });

  it.each([[16, 1], [24, 3], [40, 1], [40, 6], [200, 6], [1_000, 6]])('is not silent for an upload at %d bytes a millisecond by %d streams, whose windows open by halves', (perMs, streams) => {
    const windowBytes = streams * 65_536;
    const races: number[] = [];
    let [sent, arrived, opened] = [0, 0, 0];
    /** By what has to arrive before it. */
    const answers: { readonly sent: number; readonly atMs: number }[] = [];
    for (nowMs = 1; nowMs < 60_000; nowMs += 1) {
      arrived = Math.min(sent, arrived + perMs);
      // all streams' windows at a stroke: the longest silence
      if (arrived - opened >= windowBytes / 2) {
        opened = arrived;
        health.sent(sent, nowMs);
        health.heard(nowMs);
      }
      if (sent < opened + windowBytes) {
        sent = opened + windowBytes;
        health.used();
      }
      const [answer] = answers;
      if (answer !== undefined && arrived >= answer.sent && nowMs >= answer.atMs + RTT_MS) {
        answers.shift();
        health.sent(sent, nowMs);
        health.answered(nowMs - answer.atMs, nowMs);
      }
      health.sent(sent, nowMs);
      for (const command of health.advance(nowMs)) {
        if (command === 'ping') answers.push({ sent, atMs: nowMs });
        else races.push(nowMs);
      }
    }
    expect(races).toEqual([]);
  });
});

describe('a relay that can not be reached', () => {
  it('is tried at once, then each time twice as long after, for as long as the proxy runs', () => {
    const tries: number[] = [];
    while (tries.length < 12) {
      nowMs = Math.max(nowMs, health.nextTimerMs);
      expect(health.advance(nowMs)).toEqual(['connect']);
      tries.push(nowMs);
      health.lost(nowMs);
    }
    const pauses = tries.slice(1).map((ms, place) => ms - tries[place]!);
    expect(tries[0]).toBe(0);
    expect(pauses.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
    expect(pauses.at(-1)).toBe(60_000);
  });

  it('is given up after ten seconds of an attempt', () => {
    expect(until(10_000)).toEqual([[0, 'connect'], [10_000, 'give up']]);
  });

  it('is tried at once in another network', () => {
    for (let at = 0; at < 20_000; at += 100) for (const [ms, command] of until(at)) if (command === 'connect') health.lost(ms);
    health.moved();
    expect(until(nowMs)).toEqual([[nowMs, 'connect']]);
  });
});

it('one that was there for long is tried soon after it was lost', () => {
  up();
  for (let at = 0; at < 60_000; at += 5_000) health.heard(at);
  health.lost(60_000);
  expect(health.nextTimerMs).toBe(60_250);
});

it('whatever happens, each thing is done in its state alone, and nothing is done without end', () => {
  const event = fc.record({
    afterMs: fc.integer({ min: 0, max: 20_000 }),
    what: fc.constantFrom('connected', 'heard', 'answered', 'used', 'overtaken', 'lost', 'moved'),
    rttMs: fc.integer({ min: 0, max: 2_000 }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      health = new RelayHealth();
      nowMs = 0;
      let isConnecting = false;
      let isConnected = false;
      let silentSinceMs = 0;
      let hasRaced = false;
      for (const { afterMs, what, rttMs } of events) {
        for (const [ms, command] of until(nowMs + afterMs)) {
          if (command === 'connect') {
            expect([isConnecting, isConnected]).toEqual([false, false]);
            isConnecting = true;
          }
          if (command === 'ping') expect(isConnected).toBe(true);
          if (command === 'race') {
            expect([isConnected, hasRaced]).toEqual([true, false]);
            expect(ms - silentSinceMs).toBeGreaterThanOrEqual(50);
            hasRaced = true;
          }
          if (command === 'give up') {
            expect(isConnecting || isConnected).toBe(true);
            [isConnecting, isConnected] = [false, false];
          }
        }
        if (isConnected) expect(nowMs - silentSinceMs).toBeLessThan(15_000 + 1);
        if (what === 'connected' && isConnecting) {
          health.connected(rttMs, nowMs);
          [isConnecting, isConnected, silentSinceMs, hasRaced] = [false, true, nowMs, false];
        }
        if (what === 'heard' && isConnected) health.heard(nowMs);
        if (what === 'answered' && isConnected) health.answered(rttMs, nowMs);
        if ((what === 'heard' || what === 'answered') && isConnected) [silentSinceMs, hasRaced] = [nowMs, false];
        if (what === 'used') health.used();
        if (what === 'overtaken') health.overtaken();
        if (what === 'lost') health.lost(nowMs);
        if (what === 'moved') health.moved();
        if (what === 'lost' || what === 'moved') [isConnecting, isConnected] = [false, false];
        if (health.isUp) expect(isConnected).toBe(true);
        expect(health.nextTimerMs).toBeLessThanOrEqual(nowMs + 60_000);
      }
    }),
  );
});
