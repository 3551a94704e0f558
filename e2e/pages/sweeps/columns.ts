/** Bytes of a picture for each CSS pixel: what the helper expects of JPEG (shared/src/estimation/bytes.ts). OR and CM know sizes from pixels, as in the report. */
const BYTES_PER_PIXEL = 0.25;
const PICTURES_A_ROW = 2;
const MIN_WIDTH_PX = 8;
/** Between pictures, so that one's pixels do not touch the next one's. */
export const GAP_PX = 4;

/** A picture in its place. */
export interface Tile {
  readonly bytes: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Pictures side by side. */
export type Row = readonly Tile[];

/**
 * Lays pictures out in columns of about the same height: each goes, largest first, to the column that has least (LPT, Graham 1969); within a column they keep the order given, two a
 * row, in rows as wide as the column. The area of a picture is in proportion to its bytes.
 */
export function inColumns(sizes: readonly number[], columns: number, columnWidthPx: number): Row[][] {
  const places = sizes.map((bytes, place) => ({ bytes, place })).sort((a, b) => b.bytes - a.bytes || a.place - b.place);
  const loads = Array.from({ length: columns }, () => ({ bytes: 0, places: [] as number[] }));
  for (const { bytes, place } of places) {
    const least = loads.reduce((a, b) => (b.bytes < a.bytes ? b : a));
    least.bytes += bytes;
    least.places.push(place);
  }
  return loads.map((load) => inRows(load.places.sort((a, b) => a - b).map((place) => sizes[place] ?? 0), columnWidthPx));
}

/** Height of rows one below the other, with a gap below each. */
export function heightPx(rows: readonly Row[]): number {
  return rows.reduce((sum, [first]) => sum + (first?.heightPx ?? 0) + GAP_PX, 0);
}

function inRows(sizes: readonly number[], columnWidthPx: number): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < sizes.length; at += PICTURES_A_ROW) rows.push(inOneRow(sizes.slice(at, at + PICTURES_A_ROW), columnWidthPx));
  return rows;
}

function inOneRow(sizes: readonly number[], columnWidthPx: number): Row {
  const widthPx = columnWidthPx - GAP_PX * (sizes.length - 1);
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const heightPx = Math.max(1, Math.round(total / BYTES_PER_PIXEL / widthPx));
  const share = (bytes: number): number => Math.max(MIN_WIDTH_PX, Math.floor((widthPx * bytes) / total));
  const others = sizes.slice(1).map(share);
  const widths = [widthPx - others.reduce((sum, width) => sum + width, 0), ...others];
  // The first has what is left, which is too little when it is the small one.
  const [first = 0, second = 0] = widths;
  const fitted = first < MIN_WIDTH_PX ? [MIN_WIDTH_PX, second - (MIN_WIDTH_PX - first)] : widths;
  return sizes.map((bytes, place) => ({ bytes, widthPx: fitted[place] ?? 0, heightPx }));
}
