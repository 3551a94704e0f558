import { DecodedPeek } from '../reading/contentDecoding.ts';
import { Room } from '../reading/room.ts';
import { MAX_KEPT_BYTES, MIN_KEPT_BYTES } from './keptBodies.ts';

/** What begins so zstd takes for a dictionary with tables of its own (RFC 8878, section 5), and refuses it where it has none. */
const ZSTD_DICTIONARY = Buffer.from([0x37, 0xa4, 0x30, 0xec]);

/**
 * Gathers a body as it passes, without its content coding.
 *
 * @param room bytes of what several have gathered at a time
 * @param read called once with all of it; never for one that is cut off, broken, too large or too small, that found no room, or that can be no other one's dictionary
 */
export function bodyReader(coding: string, read: (body: Buffer) => void, room = new Room(Infinity)): DecodedPeek {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const peek = new DecodedPeek(coding, {
    data: (piece) => {
      if (room.take(piece.length)) {
        pieces.push(piece);
        bytes += piece.length;
        // nor is it decoded any further, where a decoder keeps as much again
      } else peek.close();
    },
    ended: (isWhole) => {
      room.give(bytes);
      const gathered = pieces.splice(0);
      if (!isWhole || bytes < MIN_KEPT_BYTES) return;
      const body = Buffer.concat(gathered);
      if (!body.subarray(0, ZSTD_DICTIONARY.length).equals(ZSTD_DICTIONARY)) read(body);
    },
  }, { decodedBytes: MAX_KEPT_BYTES, waitingBytes: MAX_KEPT_BYTES });
  return peek;
}
