import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INITIAL_LINK, INITIAL_WINDOW_BYTES, LinkEstimator, RELEASE_MS, bdpBytes, type LinkEstimate, type TransferSample } from './link.ts';

const HISTORY_MS = 30_000;
/** 100 kB in a second: 800 kbit/s, after 100 ms. */
const SAMPLE: TransferSample = { startMs: 900, setup: 'none', headersMs: 1_000, endMs: 1_999, bytes: 100_000 };
const SAMPLE_RATE = 800_000;

const samples: fc.Arbitrary<TransferSample> = fc
  .record({ startMs: fc.nat(9_000), setup: fc.constantFrom('none', 'tcp', 'tls'), waitMs: fc.integer({ min: 1, max: 2_000 }), durationMs: fc.nat(5_000), bytes: fc.nat(500_000) })
  .map(({ startMs, setup, waitMs, durationMs, bytes }) => ({ startMs, setup, headersMs: startMs + waitMs, endMs: startMs + waitMs + durationMs, bytes }));

function estimateOf(...seen: Partial<TransferSample>[]): LinkEstimate {
  const estimator = new LinkEstimator();
  for (const one of seen) estimator.add({ ...SAMPLE, ...one });
  return estimator.estimate();
}

function later(ms: number): Pick<TransferSample, 'startMs' | 'headersMs' | 'endMs'> {
  return { startMs: SAMPLE.startMs + ms, headersMs: SAMPLE.headersMs + ms, endMs: SAMPLE.endMs + ms };
}

describe('LinkEstimator', () => {
  it('takes a near link for fast at first, and knows that nothing has shown it', () => {
    const estimator = new LinkEstimator();
    expect(estimator.shown).toBeNull();
    estimator.add({ startMs: 0, setup: 'none', headersMs: 5, endMs: 350, bytes: 50_000 });
    expect([estimator.estimate().rateBitsPerSecond, estimator.shown?.rateBitsPerSecond]).toEqual([48_000_000, 800_000]);
  });

  it('forgets a link that it is not any more, but not what it was told to assume', () => {
    const estimator = new LinkEstimator();
    estimator.assume({ ...INITIAL_LINK, rttMs: 300 });
    estimator.add(SAMPLE);
    estimator.answeredFirst(900);
    estimator.forget();
    expect([estimator.estimate(), estimator.shown, estimator.seenRate, estimator.isRttMeasured]).toEqual([{ ...INITIAL_LINK, rttMs: 300 }, null, null, false]);
    estimator.add(SAMPLE);
    expect(estimator.estimate().rateBitsPerSecond).toBeCloseTo(SAMPLE_RATE);
  });

  it('takes a link that nothing has measured for no faster than half as much again as has come of it in a round trip, a first window at least', () => {
    const estimator = new LinkEstimator();
    const rateOf = (bytes: number): number => (1.5 * bytes * 8_000) / (INITIAL_LINK.rttMs + RELEASE_MS);
    estimator.received(1_000, 0);
    expect(estimator.estimate().rateBitsPerSecond).toBeCloseTo(rateOf(14_600));
    estimator.received(17_000, 100);
    expect(estimator.estimate().rateBitsPerSecond).toBeCloseTo(rateOf(18_000));
    // in another round trip
    estimator.received(17_500, 171);
    expect(estimator.estimate().rateBitsPerSecond).toBeCloseTo(rateOf(18_000));
    estimator.received(17_500, 200);
    expect(estimator.estimate().rateBitsPerSecond).toBe(INITIAL_LINK.rateBitsPerSecond);
    estimator.add(SAMPLE);
    expect(estimator.estimate().rateBitsPerSecond).toBeCloseTo(SAMPLE_RATE);
    estimator.forget();
    expect(estimator.estimate()).toEqual(INITIAL_LINK);
  });

  it('takes a link of long round trips for no slower, before anything was measured, than a shorter one', () => {
    const estimator = new LinkEstimator();
    estimator.roundTrip(600, 0);
    estimator.received(1_000, 1);
    expect(bdpBytes(estimator.estimate())).toBeCloseTo(((1.5 * INITIAL_WINDOW_BYTES) / 170) * 620);
  });

  it('takes a link on which a handshake has waited for queued, until enough others have not', () => {
    const estimator = new LinkEstimator();
    for (const elapsedMs of [150, 549]) estimator.handshake(elapsedMs, 0);
    expect(estimator.estimate().isQueued).toBeUndefined();
    estimator.handshake(550, 0);
    expect(estimator.estimate()).toMatchObject({ rttMs: 150, isQueued: true });
    // what a server has thought of says nothing
    for (let n = 0; n < 7; n += 1) estimator.handshake(160, 0);
    estimator.roundTrip(900, 0);
    expect(estimator.estimate().isQueued).toBe(true);
    estimator.handshake(160, 0);
    expect(estimator.estimate().isQueued).toBeUndefined();
  });

  it('takes a near link for fast whatever has come', () => {
    const estimator = new LinkEstimator();
    estimator.roundTrip(5, 0);
    estimator.received(1_000, 1);
    expect(estimator.estimate().rateBitsPerSecond).toBe(48_000_000);
  });

  it('assumes the initial link until something was measured', () => {
    expect(estimateOf()).toEqual(INITIAL_LINK);
  });

  it.each<[string, number, Partial<TransferSample>[]]>([
    ['one transfer', SAMPLE_RATE, [{}]],
    ['two at once, which share the link', 2 * SAMPLE_RATE, [{}, {}]],
    ['two in turn', SAMPLE_RATE, [{}, later(1_000)]],
    ['the faster of two', SAMPLE_RATE, [{}, { ...later(5_000), bytes: 10_000 }]],
    ['the faster of two, after the slower', SAMPLE_RATE, [{ bytes: 40_000 }, later(5_000)]],
    ['a burst in a longer history, over a second', SAMPLE_RATE / 2, [{ bytes: 25_000, endMs: SAMPLE.headersMs }, { ...later(400), bytes: 25_000, endMs: SAMPLE.headersMs + 400 }, { ...later(4_000), bytes: 1 }]],
    ['a burst, over half a second', SAMPLE_RATE, [{ endMs: SAMPLE.headersMs, bytes: 50_000 }]],
  ])('learns the rate from %s', (_case, rate, seen) => {
    expect(estimateOf(...seen).rateBitsPerSecond).toBeCloseTo(rate);
  });

  it('takes no rate from fewer than 40 kB in all', () => {
    expect(estimateOf({ bytes: 20_000 }, { bytes: 19_999 }).rateBitsPerSecond).toBeGreaterThanOrEqual(INITIAL_LINK.rateBitsPerSecond);
    expect(estimateOf({ bytes: 20_000 }, { bytes: 20_000 }).rateBitsPerSecond).toBeCloseTo(SAMPLE_RATE / 2.5);
  });

  it('takes a link with a short round trip for a fast one until it is measured, and none for a slower one', () => {
    expect(estimateOf({ bytes: 100, startMs: SAMPLE.headersMs - 15 }).rateBitsPerSecond).toBeCloseTo(10 * INITIAL_LINK.rateBitsPerSecond);
    expect(estimateOf({ bytes: 100, startMs: SAMPLE.headersMs - 1_000 }).rateBitsPerSecond).toBe(INITIAL_LINK.rateBitsPerSecond);
  });

  it('takes a near link for a fast one until half a second is measured', () => {
    const near = { startMs: SAMPLE.headersMs - 10, endMs: SAMPLE.headersMs + 20 };
    expect(estimateOf(near).rateBitsPerSecond).toBeCloseTo(15 * INITIAL_LINK.rateBitsPerSecond);
    expect(estimateOf(near, { ...near, headersMs: SAMPLE.headersMs + 500, endMs: SAMPLE.endMs }).rateBitsPerSecond).toBeLessThan(4_000_000);
  });

  it('learns of a fast link from the larger half of single transfers', () => {
    const single = (i: number, bytes: number): Partial<TransferSample> => ({ startMs: 1_000 * i, headersMs: 1_000 * i + 10, endMs: 1_000 * i + 20, bytes });
    expect(estimateOf(single(1, 5_000), single(2, 5_000), single(3, 40_000), single(4, 40_000)).rateBitsPerSecond).toBeCloseTo(32_000_000);
  });

  it('learns of a fast link from single transfers, though they come one by one', () => {
    const rttMs = 10;
    const single = (i: number, elapsedMs: number): Partial<TransferSample> => ({ startMs: 1_000 * i, headersMs: 1_000 * i + rttMs, endMs: 1_000 * i + rttMs + elapsedMs, bytes: 20_000 });
    const RATE = 8_000_000;
    expect(estimateOf(...[1, 2, 3].map((i) => single(i, 20))).rateBitsPerSecond).toBeLessThan(RATE);
    expect(estimateOf(...[1, 2, 3, 4].map((i) => single(i, 20))).rateBitsPerSecond).toBeCloseTo(RATE);
    // a stroke is no rate, a slow one among them says nothing, nor does a small one
    expect(estimateOf(...[1, 2, 3, 4].map((i) => single(i, 0))).rateBitsPerSecond).toBeCloseTo(2 * RATE);
    expect(estimateOf(...[1, 2, 3, 4].map((i) => single(i, i === 2 ? 700 : 20))).rateBitsPerSecond).toBeCloseTo(RATE);
    expect(estimateOf(...[1, 2, 3, 4].map((i) => ({ ...single(i, 20), ...(i === 2 ? { bytes: 3_999 } : {}) }))).rateBitsPerSecond).toBeLessThan(RATE);
  });

  it('forgets single transfers of another link', () => {
    const fast = (i: number): Partial<TransferSample> => ({ ...later(100 * i), endMs: SAMPLE.headersMs + 100 * i + 1 });
    const slow = later(2 * HISTORY_MS);
    expect(estimateOf(...[1, 2, 3, 4].map(fast), slow).rateBitsPerSecond).toBeCloseTo(SAMPLE_RATE);
  });

  it.each<[string, Partial<TransferSample>]>([
    ['brought nothing', { bytes: 0 }],
    ['ended before it began', { endMs: SAMPLE.headersMs - 1 }],
  ])('takes no rate from a transfer that %s', (_case, sample) => {
    const startMs = SAMPLE.headersMs - INITIAL_LINK.rttMs;
    expect(estimateOf({ ...sample, startMs }, { ...sample, startMs }).rateBitsPerSecond).toBe(INITIAL_LINK.rateBitsPerSecond);
    expect(estimateOf({}, sample).rateBitsPerSecond).toBeCloseTo(SAMPLE_RATE);
  });

  it('takes the least round trip, with handshakes where the origin is a new one, and none that is not positive', () => {
    const answeredAfter = (ms: number, setup: TransferSample['setup'] = 'none'): Partial<TransferSample> => ({ startMs: SAMPLE.headersMs - ms, setup });
    expect(estimateOf(answeredAfter(100), answeredAfter(300)).rttMs).toBe(100);
    expect(estimateOf(answeredAfter(300), answeredAfter(100)).rttMs).toBe(100);
    expect(estimateOf(answeredAfter(100), answeredAfter(120, 'tcp')).rttMs).toBe(60);
    expect(estimateOf(answeredAfter(100), answeredAfter(120, 'tls')).rttMs).toBe(40);
    expect(estimateOf(answeredAfter(100), answeredAfter(0), answeredAfter(-5)).rttMs).toBe(100);
    expect(estimateOf(answeredAfter(0)).rttMs).toBe(INITIAL_LINK.rttMs);
  });

  it('keeps a rate for its history, and forgets it then', () => {
    const slow = { bytes: 40_000 };
    expect(estimateOf({}, { ...slow, ...later(HISTORY_MS - 2_000) }).rateBitsPerSecond).toBeCloseTo(SAMPLE_RATE);
    expect(estimateOf({}, { ...slow, ...later(HISTORY_MS + 2_000) }).rateBitsPerSecond).toBeCloseTo(SAMPLE_RATE / 2.5);
  });

  it('does not take a single small transfer after a pause for the link', () => {
    expect(estimateOf({}, { ...later(2 * HISTORY_MS), startMs: SAMPLE.headersMs + 2 * HISTORY_MS - 200, bytes: 300 }).rateBitsPerSecond).toBe(INITIAL_LINK.rateBitsPerSecond);
  });

  it('forgets a round trip of another link, which was shorter', () => {
    const answeredAfter = (ms: number, laterMs: number): Partial<TransferSample> => ({ ...later(laterMs), startMs: SAMPLE.headersMs + laterMs - ms });
    expect(estimateOf(answeredAfter(20, 0), answeredAfter(150, HISTORY_MS)).rttMs).toBe(20);
    expect(estimateOf(answeredAfter(20, 0), answeredAfter(150, 2 * HISTORY_MS)).rttMs).toBe(150);
  });

  it('is never worse than what a second has brought within the history, nor than the least round trip', () => {
    fc.assert(
      fc.property(fc.array(samples, { maxLength: 20 }), (seen) => {
        const estimator = new LinkEstimator();
        estimator.add(SAMPLE);
        let { rttMs } = estimator.estimate();
        for (const sample of seen) {
          estimator.add(sample);
          const after = estimator.estimate();
          expect(after.rateBitsPerSecond).toBeGreaterThanOrEqual(SAMPLE_RATE * (1 - 1e-9));
          expect(after.rttMs).toBeLessThanOrEqual(rttMs);
          ({ rttMs } = after);
        }
      }),
    );
  });
});

describe('bdpBytes', () => {
  it('is rate times round trip and the way of a release', () => {
    expect(bdpBytes(INITIAL_LINK)).toBe(200 * (150 + RELEASE_MS));
  });

  it('takes the first answer of an origin, less a round trip, for the time of a connection, and later ones a quarter', () => {
    const estimator = new LinkEstimator();
    expect(estimator.estimate().connectMs).toBe(INITIAL_LINK.connectMs);
    estimator.answeredFirst(INITIAL_LINK.rttMs + 400);
    expect(estimator.estimate().connectMs).toBe(400);
    estimator.answeredFirst(INITIAL_LINK.rttMs + 800);
    expect(estimator.estimate().connectMs).toBe(500);
    estimator.answeredFirst(0);
    expect(estimator.estimate().connectMs).toBe(375);
  });
});
