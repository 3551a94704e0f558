import { DecodedPeek } from '../reading/contentDecoding.ts';
import { MAX_KEPT_BYTES, MIN_KEPT_BYTES } from './keptBodies.ts';

/**
 * Gathers a body as it passes, without its content coding.
 *
 * @param read called once with all of it; never for one that is cut off, broken, too large or too small
 */
export function bodyReader(coding: string, read: (body: Buffer) => void): DecodedPeek {
  const pieces: Buffer[] = [];
  return new DecodedPeek(coding, {
    data: (bytes) => pieces.push(bytes),
    ended: (isWhole) => {
      const body = isWhole ? Buffer.concat(pieces) : null;
      pieces.length = 0;
      if (body !== null && body.length >= MIN_KEPT_BYTES) read(body);
    },
  }, { decodedBytes: MAX_KEPT_BYTES, waitingBytes: MAX_KEPT_BYTES });
}
