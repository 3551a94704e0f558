import { describe, expect, it } from 'vitest';
import { counters, NOTHING_CARRIED } from '../testRuns.ts';
import { latenessText, throughput, parseTransfer } from './transfer.ts';

const FLOW = { kind: 'up', port: 8081, seconds: 2, upBytes: 250_000, downBytes: 0, requests: 0 };

describe('a transfer over the link', () => {
  it('is read from its flows and counters', () => {
    const { link } = NOTHING_CARRIED;
    const near = counters({ copies: 3 });
    const counted = { link: { ...link, seed: 1 }, near: { features: [], counters: near }, far: null };
    expect(parseTransfer(`${JSON.stringify(FLOW)}\n${JSON.stringify(FLOW)}\n${JSON.stringify(counted)}\n`)).toEqual({ flows: [FLOW, FLOW], link, near, far: null });
  });

  it('is refused when the counters are missing', () => {
    expect(() => parseTransfer(`${JSON.stringify(FLOW)}\n`)).toThrow();
  });

  it('says how late the links were', () => {
    const late = (p99Us: number) => ({ ...NOTHING_CARRIED, link: { ...NOTHING_CARRIED.link, lateness: { p99Us } } });
    expect(latenessText([late(100), late(4_000), late(200)])).toBe('links late by 0.2 ms (p99; median of runs), at most 4.0 ms');
  });

  it('has the throughput of its flows together', () => {
    expect(throughput([FLOW, { ...FLOW, seconds: 1 }], ({ upBytes }) => upBytes)).toBe(3);
  });
});
