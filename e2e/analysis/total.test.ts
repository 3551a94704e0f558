import { describe, expect, it } from 'vitest';
import { analyse } from './analyse.ts';
import { PAGE_URL, testArtifacts, testFrame } from './testArtifacts.ts';
import { totalOf } from './total.ts';

const page = (arrivalMs: number, bytes: number) => analyse(testArtifacts([{ url: PAGE_URL, type: 'document', arrivalMs, bytes }], []), [testFrame(-10, []), testFrame(arrivalMs, [{ x: 0, y: 0, width: 9, height: 9 }])], 1);

describe('totalOf', () => {
  it('adds up times, bytes and requests, and still has ISRT in its three shares', () => {
    const total = totalOf([page(200, 1_000), page(700, 3_000), page(400, 2_000)]);
    expect(total).toMatchObject({ isrtMs: 1_300, speedIndexMs: 1_300, allObjectsMs: 1_300, bytes: 15_000, bodyBytes: 6_000, firstScreenBytes: 6_000, requests: 3 });
    expect(total.neededMs + total.wasteMs + total.idleMs).toBeCloseTo(total.isrtMs);
  });

  it('names what the slowest page waited for first, and every request', () => {
    const total = totalOf([page(200, 1_000), page(700, 3_000)]);
    expect(total.needed.map(({ arrivalMs }) => arrivalMs)).toEqual([700, 200]);
    expect(total.answered).toHaveLength(2);
  });

  it('leaves a single page as it is', () => {
    expect(totalOf([page(200, 1_000)])).toEqual(page(200, 1_000));
  });
});
