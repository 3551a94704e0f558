import { originOf } from '../page/origin.ts';
import { extensionOf } from './bytes.ts';

/** Of the recorded pages, in bytes, rounded; formats that are not here are like unnamed ones. */
const FIRST_MEANS: Readonly<Record<string, number>> = { gif: 1_500, png: 3_000, ico: 1_500, svg: 2_000, jpg: 5_000, jpeg: 5_000, webp: 5_000, avif: 5_000 };
const UNNAMED_MEAN = 4_000;
/** Of the last image in the mean of all: pages of icons and pages of photographs follow one another. */
const FORMAT_WEIGHT = 1 / 8;
/** An origin keeps to one kind: icons here, thumbnails there. */
const ORIGIN_WEIGHT = 1 / 4;
const MAX_ORIGINS = 500;

/** Mean size of the images seen lately, by origin and format: what to expect of one of which nothing but the name is known. */
export class ImageSizes {
  private readonly formatMeans = new Map<string, number>();
  private readonly originMeans = new Map<string, number>();

  /** Bytes. */
  expected(url: string): number {
    return this.originMeans.get(originAndFormat(url)) ?? this.expectedOf(formatOf(url));
  }

  /** @param bytes Content-Length of the image's response */
  learn(url: string, bytes: number): void {
    const key = originAndFormat(url);
    const expected = this.expected(url);
    // the last one learnt goes to the end, so that the first is the one to forget
    this.originMeans.delete(key);
    this.originMeans.set(key, towards(expected, bytes, ORIGIN_WEIGHT));
    for (const oldest of this.originMeans.keys()) if (this.originMeans.size > MAX_ORIGINS) this.originMeans.delete(oldest);
    const format = formatOf(url);
    const mean = this.expectedOf(format);
    this.formatMeans.set(format, towards(mean, bytes, FORMAT_WEIGHT));
  }

  private expectedOf(format: string): number {
    return this.formatMeans.get(format) ?? FIRST_MEANS[format] ?? UNNAMED_MEAN;
  }
}

/** Geometric, as sizes are spread: one photograph among thumbnails says little of the next. */
function towards(mean: number, bytes: number, weight: number): number {
  return mean * (Math.max(1, bytes) / mean) ** weight;
}

function originAndFormat(url: string): string {
  return `${originOf(url)} ${formatOf(url)}`;
}

/** '' for what has no name that can be told in advance: names are the page's to choose, and each would be kept. */
function formatOf(url: string): string {
  const extension = extensionOf(url);
  return Object.hasOwn(FIRST_MEANS, extension) ? extension : '';
}
