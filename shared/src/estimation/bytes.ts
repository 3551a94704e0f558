/**
 * Bytes per CSS pixel at which images of a format are usually coded; starting values, good to about a factor of three.
 */
const BYTES_PER_PIXEL: Readonly<Record<string, number>> = { jpg: 0.25, jpeg: 0.25, png: 0.4, gif: 0.3, webp: 0.15, avif: 0.1, svg: 0.1 };
const DEFAULT_BYTES_PER_PIXEL = 0.25;
const MIN_IMAGE_BYTES = 700;
const MAX_IMAGE_BYTES = 60_000;
/** An element as large as a small screen shows a background that is tiled or stretched: its area says nothing. */
const MAX_IMAGE_PIXELS = 600_000;

/** What is still to come counts for this much until its end is seen: the estimate may have been too small. */
export const LAST_BYTES = 500;

/**
 * Expected size of an image in bytes, from its pixel size and format (OR's estimate, NSF report section VI).
 *
 * @param pixels of its box, null when that is not known
 * @param expectedBytes what to expect by its name alone
 * @returns between 0.7 kB (headers and a small icon) and 60 kB
 */
export function estimateImageBytes(url: string, pixels: number | null, expectedBytes: number): number {
  if (pixels === null || pixels === 0 || pixels > MAX_IMAGE_PIXELS) return expectedBytes;
  const bytes = pixels * (BYTES_PER_PIXEL[extensionOf(url)] ?? DEFAULT_BYTES_PER_PIXEL);
  // a background's box, or an enlarged image, says as little as the mean alone
  return Math.min(MAX_IMAGE_BYTES, Math.max(MIN_IMAGE_BYTES, Math.sqrt(bytes * expectedBytes)));
}

/**
 * Lower-case file extension of a URL's path, '' when it has none; it may have a version or parameters behind it
 * (`icons.png@3`).
 */
export function extensionOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  // of the last part alone: each dot of those before it would be read from to the end
  const match = /\.([a-z0-9]{2,5})([^a-z0-9.].*)?$/is.exec(path.slice(path.lastIndexOf('/') + 1));
  return match?.[1]?.toLowerCase() ?? '';
}
