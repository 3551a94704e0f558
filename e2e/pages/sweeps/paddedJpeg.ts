import sharp from 'sharp';
import { type Random } from '../random.ts';

/** Start of image (ITU-T T.81, B.1.1.3). */
const SOI_BYTES = 2;
const COMMENT_MARKER = 0xfffe;
/** A marker, and the length that counts itself. */
const COMMENT_HEAD_BYTES = 4;
const MAX_COMMENT_BYTES = 0xffff + 2;

/** Blotches a side: enough to see that a picture is there, few enough to code in a fraction of any size asked for. */
const BLOTCHES = 4;
const QUALITY = 60;

/** A picture of soft blotches that is a JPEG file of exactly so many bytes, whatever its pixels. Rejects with RangeError where they do not fit. */
export async function jpegOfSize(random: Random, width: number, height: number, bytes: number): Promise<Uint8Array> {
  const pixels = Uint8Array.from({ length: BLOTCHES * BLOTCHES * 3 }, () => random.whole(30, 225));
  const picture = await sharp(pixels, { raw: { width: BLOTCHES, height: BLOTCHES, channels: 3 } }).resize(width, height, { fit: 'fill', kernel: 'cubic' }).jpeg({ quality: QUALITY }).toBuffer();
  return padJpeg(picture, bytes);
}

/**
 * Fills a JPEG file up with comments (ITU-T T.81, B.2.4.5), which decoders skip. They come first, as metadata of cameras does: the picture shows when the last byte is there.
 *
 * @throws RangeError when the file is larger already, or the rest is less than an empty comment
 */
export function padJpeg(jpeg: Uint8Array, bytes: number): Uint8Array {
  const parts = [jpeg.subarray(0, SOI_BYTES)];
  let missing = bytes - jpeg.length;
  if (missing < 0 || (missing > 0 && missing < COMMENT_HEAD_BYTES)) throw new RangeError(`a JPEG file of ${jpeg.length} bytes can not be filled up to ${bytes}`);
  while (missing > 0) {
    const rest = missing - MAX_COMMENT_BYTES;
    // What is left has to hold another comment's head.
    const size = rest > 0 && rest < COMMENT_HEAD_BYTES ? MAX_COMMENT_BYTES - COMMENT_HEAD_BYTES : Math.min(missing, MAX_COMMENT_BYTES);
    const comment = Buffer.alloc(size);
    comment.writeUInt16BE(COMMENT_MARKER, 0);
    comment.writeUInt16BE(size - 2, 2);
    parts.push(comment);
    missing -= size;
  }
  return Buffer.concat([...parts, jpeg.subarray(SOI_BYTES)]);
}
