import { realpathSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import type * as Sharp from 'sharp';
import { EncodingSpeed } from './encodingSpeed.ts';
import { encodeImage, type EncodedImage, type ImageJob } from './encodeImage.ts';

/** The word by which this program becomes a coder of images and nothing else. */
export const CODER_WORD = 'encode-images';

/** What a coder says: first whether it can work at all, then an answer for each job, in their order. */
export type CoderMessage = { readonly ready: boolean } | { readonly encoded: EncodedImage | null };

/** A picture of one pixel, so that the first of a page does not wait until all is loaded. */
const PIXEL = Buffer.from('R0lGODlhAQABAPAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');
/** Only what is made smaller can be read; every other reader of libvips is shut off. */
const LOADERS = ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'];

/**
 * Encodes pictures for the process that has started this one, one at a time, and ends with it. What pictures of strangers do to a decoder stays in here.
 *
 * @param program the file that this process runs: the library lies beside it, or above
 */
export async function runCoder(program: string): Promise<void> {
  // what carries bytes goes before what makes them fewer
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const say = (message: CoderMessage): void => void process.send?.(message);
  process.once('disconnect', () => process.exit());
  let sharp: typeof Sharp.default;
  try {
    // not by an import: webpack would look for it, and in an executable there are no modules to find
    sharp = process.getBuiltinModule('node:module').createRequire(realpathSync(program))('sharp') as typeof Sharp.default;
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    await sharp(PIXEL).avif().toBuffer();
    await sharp(PIXEL).webp().toBuffer();
  } catch {
    say({ ready: false });
    process.disconnect();
    return;
  }
  const speed = new EncodingSpeed();
  process.on('message', (job: ImageJob) => {
    void encodeImage(sharp, job, speed).then((encoded) => say({ encoded }), () => say({ encoded: null }));
  });
  say({ ready: true });
}
