import type { ImageType } from './imageKind.ts';

/** Of one core of 2025, of our recorded pages (ADR 59). */
const FIRST_MS_PER_MEGAPIXEL: Readonly<Record<ImageType, number>> = { 'image/avif': 60, 'image/webp': 120 };
/** What is smaller takes its time by what there is besides its pixels. */
const MIN_MEGAPIXELS = 0.05;
/** A processor has something else to do as well. Not learnt: how busy it was with the pictures of a page's beginning says nothing of the next one. */
const BESIDE = 1.5;
/** How much the latest picture says of the next one. */
const WEIGHT = 0.3;

/** How long pictures take to encode on this machine: learnt from the processor's time for those before. */
export class EncodingSpeed {
  private readonly msPerMegapixel: Record<ImageType, number> = { ...FIRST_MS_PER_MEGAPIXEL };

  msFor(type: ImageType, megapixels: number): number {
    return BESIDE * megapixels * this.msPerMegapixel[type];
  }

  /** @param ms of a processor */
  took(type: ImageType, megapixels: number, ms: number): void {
    if (megapixels >= MIN_MEGAPIXELS) this.msPerMegapixel[type] += WEIGHT * (ms / megapixels - this.msPerMegapixel[type]);
  }
}
