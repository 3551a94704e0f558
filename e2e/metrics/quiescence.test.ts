import { describe, expect, it } from 'vitest';
import { judgeLoad, requiredIdleMs } from './quiescence.ts';

const IDLE_MS = 2_000;
const LIMIT_MS = 60_000;
const atRest = { elapsedMs: 10_000, parsed: true, openResponses: 0, undeliveredResponses: 0, linkIdleMs: 2_500 };

describe('judgeLoad', () => {
  it.each([
    ['all at rest', atRest, 'complete'],
    ['a response is open', { ...atRest, openResponses: 1 }, 'running'],
    ['a response waits for a retransmission', { ...atRest, undeliveredResponses: 1 }, 'running'],
    ['a response can not come any more', { ...atRest, undeliveredResponses: 1, linkIdleMs: 10_000 }, 'complete'],
    ['the link was busy a moment ago', { ...atRest, linkIdleMs: 1_900 }, 'running'],
    ['the document is still being parsed', { ...atRest, parsed: false }, 'running'],
    ['time is up', { ...atRest, openResponses: 1, elapsedMs: LIMIT_MS }, 'timeout'],
    ['it came to rest just when time was up', { ...atRest, elapsedMs: LIMIT_MS }, 'complete'],
  ] as const)('%s', (_, state, expected) => {
    expect(judgeLoad(state, IDLE_MS, LIMIT_MS)).toBe(expected);
  });
});

describe('requiredIdleMs', () => {
  it.each([
    [5, false, 2_000],
    [150, false, 2_000],
    [1_000, false, 6_000],
    [5, true, 10_000],
    [2_000, true, 12_000],
  ])('at a round trip of %f ms, lossy %s, is %f ms', (rttMs, isLossy, expected) => {
    expect(requiredIdleMs(rttMs, isLossy)).toBe(expected);
  });
});
