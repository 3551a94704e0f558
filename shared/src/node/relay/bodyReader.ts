import { DecodedPeek } from '../reading/contentDecoding.ts';
import { MAX_KEPT_BYTES, MIN_KEPT_BYTES } from './keptBodies.ts';

/** What begins so zstd takes for a dictionary with tables of its own (RFC 8878, section 5), and refuses it where it has none. */
const ZSTD_DICTIONARY = Buffer.from([0x37, 0xa4, 0x30, 0xec]);

/**
 * Gathers a body as it passes, without its content coding.
 *
 * @param read called once with all of it; never for one that is cut off, broken, too large or too small, or that can be no other one's dictionary
 */
export function bodyReader(coding: string, read: (body: Buffer) => void): DecodedPeek {
  const pieces: Buffer[] = [];
  return new DecodedPeek(coding, {
    data: (bytes) => pieces.push(bytes),
    ended: (isWhole) => {
      const body = isWhole ? Buffer.concat(pieces) : null;
      pieces.length = 0;
      if (body !== null && body.length >= MIN_KEPT_BYTES && !body.subarray(0, ZSTD_DICTIONARY.length).equals(ZSTD_DICTIONARY)) read(body);
    },
  }, { decodedBytes: MAX_KEPT_BYTES, waitingBytes: MAX_KEPT_BYTES });
}
