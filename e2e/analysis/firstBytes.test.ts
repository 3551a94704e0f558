import { describe, expect, it } from 'vitest';
import { firstBytes } from './firstBytes.ts';

const MS = 1e6;
const request = (startMs: number, endMs: number | null, streamEnd: number | null, client = 'c:1') => ({ client, server: 's:80', startNs: startMs * MS, endNs: endMs === null ? null : endMs * MS, streamEnd });

describe('firstBytes', () => {
  it('finds where each response begins in the stream of a connection', () => {
    const served = [request(10, 12, 1_000), request(110, 112, 3_000)];
    const flows = [{ client: 'c:1', server: 's:80', steps: [[60 * MS, 500], [70 * MS, 1_000], [160 * MS, 1_400], [170 * MS, 3_000]] as [number, number][] }];
    expect([...firstBytes(served, flows).values()]).toEqual([60, 160]);
  });

  it('takes nothing that was delivered before the request for its answer', () => {
    const flows = [{ client: 'c:1', server: 's:443', steps: [[5 * MS, 4_000], [60 * MS, 5_000]] as [number, number][] }];
    expect([...firstBytes([{ ...request(10, 12, 5_000), server: 's:443' }], flows).values()]).toEqual([60]);
  });

  it('leaves out connections with several responses at once, and responses behind one that never ended', () => {
    const flows = [{ client: 'c:1', server: 's:80', steps: [[60 * MS, 5_000]] as [number, number][] }];
    expect(firstBytes([request(10, 50, 2_000), request(20, 40, 1_000)], flows).size).toBe(0);
    expect([...firstBytes([request(10, null, null), request(30, 40, 1_000)], flows).values()]).toEqual([60]);
  });
});
