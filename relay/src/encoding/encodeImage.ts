import type * as Sharp from 'sharp';
import type { EncodingSpeed } from './encodingSpeed.ts';
import type { ImageKind, ImageType } from './imageKind.ts';

export interface ImageJob {
  readonly bytes: Uint8Array;
  readonly kind: ImageKind;
  /** What the browser takes. */
  readonly types: readonly ImageType[];
  /** Milliseconds: nothing that is likely to take longer is begun. */
  readonly limitMs: number;
}

export interface EncodedImage {
  readonly type: ImageType;
  readonly body: Uint8Array;
}

/** Of what is decoded: 16 MB, and some 100 MB while it is encoded. */
const MAX_PIXELS = 4_000_000;
/** 4:2:0 blurs the edges of coloured text; with 4:4:4 the picture stays within the picture test (ADR 59). What libaom is tuned to by default (iq) spends bytes on grain, and differs more where one sees it (ADR 93). */
const AVIF: Sharp.AvifOptions = { quality: 57, chromaSubsampling: '4:4:4', effort: 0, tune: 'ssim' };
/** Each pixel stays, those under full transparency too. */
const LOSSLESS: Sharp.WebpOptions = { lossless: true, exact: true, effort: 2 };
/** What a smaller form depends on besides its picture. */
export const CODING_TERMS = JSON.stringify([AVIF, LOSSLESS]);
/** What stands in for another has to be smaller by this much. */
const WORTHWHILE = 0.9;
/** PixelXDimension (Exif 2.3, section 4.6.5), in either order of bytes. */
const PIXEL_WIDTH_TAGS = [Buffer.from([0xa0, 0x02]), Buffer.from([0x02, 0xa0])];

/**
 * The same picture in fewer bytes: what came with loss as AVIF, what came without as WebP, without. Null where it stays as it is: what moves, is turned or sized by its metadata, has colours
 * that are not sRGB or more than 8 bits, is not all there, or would take too long.
 *
 * @param speed of this machine so far
 */
export async function encodeImage(sharp: typeof Sharp.default, { bytes, kind, types, limitMs }: ImageJob, speed: EncodingSpeed): Promise<EncodedImage | null> {
  const open = (): Sharp.Sharp => sharp(bytes, { limitInputPixels: MAX_PIXELS, ignoreIcc: true });
  const metadata = await open().metadata();
  if (!looksTheSame(metadata)) return null;
  const type: ImageType = kind === 'jpeg' ? 'image/avif' : 'image/webp';
  const megapixels = (metadata.width * metadata.height) / 1e6;
  if (!types.includes(type) || speed.msFor(type, megapixels) > limitMs) return null;
  const before = process.cpuUsage();
  const body = await (type === 'image/avif' ? open().avif(AVIF) : open().webp(LOSSLESS)).toBuffer();
  const { user, system } = process.cpuUsage(before);
  speed.took(type, megapixels, (user + system) / 1000);
  return body.length <= bytes.length * WORTHWHILE ? { type, body } : null;
}

/** Whether the samples alone say how a browser shows it: the metadata is gone afterwards. */
function looksTheSame({ pages = 1, orientation = 1, space, depth, icc, exif, density = 72 }: Sharp.Metadata): boolean {
  const isSrgb = icc === undefined || icc.toString('latin1').replaceAll('\0', '').includes('sRGB');
  // Chromium sizes pictures by a resolution in Exif, where that says their size as well
  const hasOwnSize = density !== 72 && PIXEL_WIDTH_TAGS.some((tag) => exif?.includes(tag) === true);
  return pages === 1 && orientation === 1 && (space === 'srgb' || space === 'b-w') && depth === 'uchar' && isSrgb && !hasOwnSize;
}
