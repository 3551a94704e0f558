import { describe, expect, it } from 'vitest';
import { heightPx, inColumns } from './columns.ts';

const WIDTH = 448;

describe('inColumns', () => {
  it('balances bytes, and keeps the order within a column', () => {
    const columns = inColumns([9_000, 1_000, 3_000, 5_000, 3_000], 2, WIDTH);
    expect(columns.map((rows) => rows.flat().map(({ bytes }) => bytes))).toEqual([[9_000, 1_000], [3_000, 5_000, 3_000]]);
  });

  it('fills rows from edge to edge, a picture as wide as its bytes', () => {
    const [[row] = []] = inColumns([30_000, 10_000], 1, WIDTH);
    expect(row).toEqual([{ bytes: 30_000, widthPx: 333, heightPx: 360 }, { bytes: 10_000, widthPx: 111, heightPx: 360 }]);
  });

  it('leaves no picture too narrow to be seen', () => {
    for (const sizes of [[1_000, 90_000], [90_000, 1_000]]) {
      const widths = inColumns(sizes, 1, WIDTH).flat(2).map(({ widthPx }) => widthPx);
      expect(Math.min(...widths)).toBe(8);
      expect(widths.reduce((sum, width) => sum + width, 0)).toBe(WIDTH - 4);
    }
  });

  it('adds up rows and the gaps below them', () => {
    expect(heightPx(inColumns([10_000, 10_000, 10_000], 1, WIDTH)[0] ?? [])).toBe(180 + 4 + 89 + 4);
  });
});
