import { extensionOf } from './bytes.ts';

/** Of the recorded pages, in bytes, rounded; formats that are not here are like unnamed ones. */
const FIRST_MEANS: Readonly<Record<string, number>> = { gif: 1_500, png: 3_000, ico: 1_500, svg: 2_000, jpg: 8_000, jpeg: 8_000, webp: 8_000, avif: 8_000 };
const UNNAMED_MEAN = 4_000;
/** Of the last image in the mean of all: pages of icons and pages of photographs follow one another. */
const MEAN_WEIGHT = 1 / 8;

/** Mean size of the images seen lately, by format: what to expect of one of which nothing but the name is known. */
export class ImageSizes {
  private readonly means = new Map<string, number>();

  /** Bytes. */
  expected(url: string): number {
    const format = formatOf(url);
    return this.means.get(format) ?? FIRST_MEANS[format] ?? UNNAMED_MEAN;
  }

  /** @param bytes Content-Length of the image's response */
  learn(url: string, bytes: number): void {
    const mean = this.expected(url);
    this.means.set(formatOf(url), mean + (bytes - mean) * MEAN_WEIGHT);
  }
}

/** '' for what has no name that can be told in advance: names are the page's to choose, and each would be kept. */
function formatOf(url: string): string {
  const extension = extensionOf(url);
  return Object.hasOwn(FIRST_MEANS, extension) ? extension : '';
}
