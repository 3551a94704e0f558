import { DecodedPeek } from '../reading/contentDecoding.ts';
import { MAX_KEPT_BYTES, MIN_KEPT_BYTES } from './keptBodies.ts';

/** What begins so zstd takes for a dictionary with tables of its own (RFC 8878, section 5), and refuses it where it has none. */
const ZSTD_DICTIONARY = Buffer.from([0x37, 0xa4, 0x30, 0xec]);

/** How much several readers may have gathered at a time. */
interface GatheringRoom {
  /** @returns whether there is room for so much more, which is given back */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

const UNBOUNDED: GatheringRoom = { take: () => true, give: () => undefined };

/**
 * Gathers a body as it passes, without its content coding.
 *
 * @param read called once with all of it; never for one that is cut off, broken, too large or too small, that found no room, or that can be no other one's dictionary
 */
export function bodyReader(coding: string, read: (body: Buffer) => void, room = UNBOUNDED): DecodedPeek {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let hasRoom = true;
  const letGo = (): void => {
    room.give(bytes);
    [pieces.length, bytes] = [0, 0];
  };
  return new DecodedPeek(coding, {
    data: (piece) => {
      hasRoom &&= room.take(piece.length);
      if (!hasRoom) return letGo();
      pieces.push(piece);
      bytes += piece.length;
    },
    ended: (isWhole) => {
      const body = isWhole && hasRoom ? Buffer.concat(pieces) : null;
      letGo();
      if (body !== null && body.length >= MIN_KEPT_BYTES && !body.subarray(0, ZSTD_DICTIONARY.length).equals(ZSTD_DICTIONARY)) read(body);
    },
  }, { decodedBytes: MAX_KEPT_BYTES, waitingBytes: MAX_KEPT_BYTES });
}
