import sharp, { type OverlayOptions } from 'sharp';

/** Between the strongest and the weakest channel of what is a colour, and no grey. */
const MIN_SATURATION = 60;
/** Between two colours, over all channels: what is nearer is a shade at the edge of a letter. */
const MIN_DISTANCE = 90;
const MOST_MARKS = 7;
/** Of the picture's area: as much as letters have. */
const MARK_SHARE = 0.04;
const ENCODING = { palette: true, dither: 0, effort: 10, compressionLevel: 9 } as const;

type Colour = readonly [red: number, green: number, blue: number];

/**
 * PNG of few colours. Encoders choose those that cover much, so they would take a red mark of ten pixels for brown: what
 * has a colour at all gets an area beside the picture while they choose.
 */
export async function smallPicture(png: Buffer, colours: number): Promise<Buffer> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const marks = marksOf(data);
  const markHeight = Math.ceil(height * MARK_SHARE);
  const areas = marks.map(([r, g, b], place): OverlayOptions => ({ input: { create: { width, height: markHeight, channels: 3, background: { r, g, b } } }, left: 0, top: height + place * markHeight }));
  const marked = await sharp(png).removeAlpha().extend({ bottom: marks.length * markHeight }).composite(areas).png().toBuffer();
  const chosen = await sharp(marked).png({ ...ENCODING, colours }).toBuffer();
  return sharp(chosen).extract({ left: 0, top: 0, width, height }).png({ ...ENCODING, colours }).toBuffer();
}

/** The colours that are no greys, those of most pixels first. */
function marksOf(pixels: Buffer): Colour[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const key = pixels.readUIntBE(at, 3);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const marks: Colour[] = [];
  for (const [key] of [...counts].sort(([, a], [, b]) => b - a)) {
    const colour: Colour = [key >> 16, (key >> 8) & 0xff, key & 0xff];
    const isGrey = Math.max(...colour) - Math.min(...colour) < MIN_SATURATION;
    if (!isGrey && marks.every((mark) => distance(mark, colour) >= MIN_DISTANCE)) marks.push(colour);
    if (marks.length === MOST_MARKS) break;
  }
  return marks;
}

function distance(a: Colour, b: Colour): number {
  return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);
}
