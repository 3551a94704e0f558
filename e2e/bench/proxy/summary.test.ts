import { describe, expect, it } from 'vitest';
import type { BodyRound, MemoryRound, ReaderRun, SmallRound } from './results.ts';
import { summarize } from './summary.ts';
import { judge } from './targets.ts';
import type { Way } from './ways.ts';

const KIND = '1 connection';
const small = (way: Way, run: number, medianMs: number, perSecond: number): SmallRound => ({ kind: KIND, way, run, requests: 100, medianMs, p95Ms: 2 * medianMs, perSecond, processorMs: way === 'direct' ? null : 0.1 * run });
const body = (way: Way, run: number, ms: number): BodyRound => ({ way, run, bytes: 1_000_000, ms, processorMs: null, peakBytes: way === 'direct' ? null : run * 1e6 });
const memory = (way: Way, run: number, peakBytes: number): MemoryRound => ({ way, run, idleBytes: 60e6, peakBytes, takenBytes: 257e6, ms: 12_000 });
const reader = (way: ReaderRun['way'], run: number, receiveBufferBytes: number, totalMs: number): ReaderRun => ({ way, run, receiveBufferBytes, totalMs, serverMs: totalMs, deliveredMs: totalMs, deliveredAtResumeBytes: 0, linkLatenessP99Us: 0 });
const nothing = { small: [], body: [], memory: [], reader: [] };

describe('summarize', () => {
  it('takes what a way adds from the rounds in which direct was measured too', () => {
    const rounds = [small('direct', 1, 1, 900), small('firstscreen', 1, 1.25, 800), small('direct', 2, 5, 200), small('firstscreen', 2, 5.25, 190), small('firstscreen', 3, 99, 10)];
    const [direct, ours] = summarize({ ...nothing, small: rounds }, 1).small;
    expect(direct?.addedMs).toBeNull();
    expect(direct?.processorMs).toBeNull();
    expect(ours).toMatchObject({ kind: KIND, way: 'firstscreen', addedMs: { value: 0.25, low: 0.25, high: 0.25 }, medianMs: { value: 5.25 }, processorMs: 0.2 });
  });

  it('pairs rates with mitmproxy\'s of the same round, and says nothing where it was not measured', () => {
    const [ours, theirs] = summarize({ ...nothing, small: [small('firstscreen', 1, 1, 3000), small('mitmproxy', 1, 1, 500), small('firstscreen', 2, 1, 60), small('mitmproxy', 2, 1, 10)] }, 1).small;
    expect(ours?.ratioToMitmproxy?.value).toBe(6);
    expect(theirs?.ratioToMitmproxy?.value).toBe(1);
    expect(summarize({ ...nothing, small: [small('firstscreen', 1, 1, 3000)] }, 1).small[0]?.ratioToMitmproxy).toBeNull();
  });

  it('gives the large body in bytes a second, and the most that was ever resident', () => {
    const [direct, ours] = summarize({ ...nothing, body: [body('direct', 1, 500), body('firstscreen', 1, 1000), body('firstscreen', 2, 1000), body('mitmproxy-stream', 1, 4000)] }, 1).body;
    expect(direct).toMatchObject({ bytesPerSecond: { value: 2e6 }, peakBytes: null });
    expect(ours).toMatchObject({ bytesPerSecond: { value: 1e6 }, peakBytes: 2e6, ratioToMitmproxy: null, ratioToStreaming: { value: 4 } });
  });

  it('keeps receive buffers apart, the machine\'s own, which is the largest, first', () => {
    const rows = summarize({ ...nothing, reader: [reader('direct', 1, 1000, 40), reader('firstscreen', 1, 1000, 20), reader('direct', 1, 9000, 30), reader('firstscreen', 1, 9000, 30)] }, 1).reader;
    expect(rows.filter(({ measure }) => measure === 'totalMs').map(({ receiveBufferBytes, ratio }) => [receiveBufferBytes, ratio.value])).toEqual([[9000, 1], [1000, 0.5]]);
  });

  it('of nothing makes nothing', () => {
    expect(summarize(nothing, 1)).toEqual(nothing);
  });
});

describe('judge', () => {
  const verdictsOf = (...args: Parameters<typeof summarize>): string[] => judge(summarize(...args)).map(({ what, verdict }) => `${what}: ${verdict}`);

  it('holds ours against each target, at its bound', () => {
    const rounds = [small('direct', 1, 1, 1000), small('firstscreen', 1, 1.5, 500), small('mitmproxy', 1, 2, 100), small('firstscreen-conv', 1, 1.4, 499)];
    expect(verdictsOf({ ...nothing, small: rounds }, 1)).toEqual([
      'firstscreen: added latency, 1 connection: missed',
      'firstscreen: requests a second against mitmproxy, 1 connection: met',
      'firstscreen-conv: added latency, 1 connection: met',
      'firstscreen-conv: requests a second against mitmproxy, 1 connection: missed',
    ]);
  });

  it('takes the worst round for a bound of memory', () => {
    expect(verdictsOf({ ...nothing, memory: [memory('firstscreen', 1, 100e6), memory('firstscreen', 2, 151e6), memory('mockttp', 1, 9e9)] }, 1)).toEqual(['firstscreen: resident memory at most, reader stopped: missed']);
  });

  it('does not take a missing number for a good one', () => {
    expect(verdictsOf({ ...nothing, body: [body('firstscreen', 1, 1000)] }, 1)).toEqual(['firstscreen: large body against mitmproxy: missed', 'firstscreen: large body against mitmproxy that streams: missed']);
  });
});
