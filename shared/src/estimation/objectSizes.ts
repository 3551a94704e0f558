import { LRUCache } from 'lru-cache';
import { originOf } from '../page/origin.ts';
import { extensionOf } from './bytes.ts';

/** Of the last image in the mean of all: pages of icons and pages of photographs follow one another. */
const FORMAT_WEIGHT = 1 / 8;
/** An origin keeps to one kind: icons here, thumbnails there. */
const ORIGIN_WEIGHT = 1 / 4;
const MAX_ORIGINS = 500;

/** Sizes to begin with, in bytes, by format; `''` is for every other name. */
export type FirstMeans = Readonly<Record<string, number>> & { readonly '': number };

/** Of images on the recorded pages, rounded; formats that are not here are like unnamed ones. */
const IMAGES: FirstMeans = { gif: 1_500, png: 3_000, ico: 1_500, svg: 2_000, jpg: 5_000, jpeg: 5_000, webp: 5_000, avif: 5_000, '': 4_000 };

/**
 * Mean size of the objects seen lately, by origin and format: what to expect of one of which nothing but the name is
 * known.
 */
export class ObjectSizes {
  private readonly firstMeans: FirstMeans;
  private readonly formatMeans = new Map<string, number>();
  private readonly originMeans = new LRUCache<string, number>({ max: MAX_ORIGINS });

  constructor(firstMeans: FirstMeans = IMAGES) {
    this.firstMeans = firstMeans;
  }

  /** Bytes. */
  expected(url: string): number {
    return this.originMeans.peek(this.originAndFormat(url)) ?? this.expectedOf(this.formatOf(url));
  }

  /** @param bytes Content-Length of the response */
  learn(url: string, bytes: number): void {
    const key = this.originAndFormat(url);
    const expected = this.expected(url);
    this.originMeans.set(key, towards(expected, bytes, ORIGIN_WEIGHT));
    const format = this.formatOf(url);
    const mean = this.expectedOf(format);
    this.formatMeans.set(format, towards(mean, bytes, FORMAT_WEIGHT));
  }

  private expectedOf(format: string): number {
    return this.formatMeans.get(format) ?? this.firstMeans[format] ?? this.firstMeans[''];
  }

  private originAndFormat(url: string): string {
    return `${originOf(url)} ${this.formatOf(url)}`;
  }

  /** '' for what has no name that can be told in advance: names are the page's to choose, and each would be kept. */
  private formatOf(url: string): string {
    const extension = extensionOf(url);
    return Object.hasOwn(this.firstMeans, extension) ? extension : '';
  }
}

/** Geometric, as sizes are spread: one photograph among thumbnails says little of the next. */
function towards(mean: number, bytes: number, weight: number): number {
  return mean * (Math.max(1, bytes) / mean) ** weight;
}
