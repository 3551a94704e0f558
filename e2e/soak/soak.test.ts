import { describe, expect, it } from 'vitest';
import type { Observation } from '../gate/harness.ts';
import { FAULTS, planFaults, violationsOf } from './soak.ts';

const seen = (requests: Record<string, number>, loads = 1): Observation => ({ requests, modes: {}, frames: [{ loads, events: {}, images: {} }], picture: Buffer.alloc(0) });

describe('soak', () => {
  it('repeats its faults by seed, and makes each of them', () => {
    expect(planFaults(100, 7)).toEqual(planFaults(100, 7));
    expect(planFaults(100, 7)).not.toEqual(planFaults(100, 8));
    expect(new Set(planFaults(100, 7))).toEqual(new Set(FAULTS));
  });

  it('finds objects that are lost, fetched twice or never asked for by the stock browser', () => {
    const stock = seen({ 'a.png': 1, 'b.png': 1 });
    expect(violationsOf(stock, seen({ 'a.png': 1, 'b.png': 1 }))).toEqual([]);
    expect(violationsOf(stock, seen({ 'a.png': 2, 'c.png': 1 }))).toEqual([
      'a.png: asked for 2 times instead of 1', 'b.png: asked for 0 times instead of 1', 'c.png: asked for 1 times instead of 0',
    ]);
    expect(violationsOf(stock, seen({ 'a.png': 1, 'b.png': 1 }, 2))).toEqual(['the page saw other loads or events']);
  });
});
