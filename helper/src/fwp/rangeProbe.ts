import type { RangeSupport } from './originGain.ts';
import { askRanges, type Representation } from './rangeRequest.ts';
import type { SideConnections } from './sideConnections.ts';
import type { ByteRange } from '../http/partialContent.ts';

/**
 * Finds out whether a server gives ranges of exactly this representation, by its first and its last byte, before anything of it may be lost: addresses that are good once, files that have
 * changed and servers without ranges are left to TCP. The connection that it makes is there for the first hole.
 *
 * @param body of the representation: what has begun to come
 * @param firstByte of it
 * @param known how the server has given ranges before; null where that is not known
 * @returns null where nobody answered
 */
export async function probeRanges(representation: Representation, body: ByteRange, firstByte: number, known: RangeSupport | null, sides: SideConnections, silenceMs: number): Promise<RangeSupport | null> {
  const [first, last] = [{ first: body.first, end: body.first + 1 }, { first: body.end - 1, end: body.end }];
  let isSame = false;
  const ask = (ranges: readonly ByteRange[]): Promise<RangeSupport | null> => sides.use(representation.request.origin, async (connection) => {
    const take = (offset: number, bytes: Buffer): void => {
      if (offset === body.first) isSame = bytes[0] === firstByte;
    };
    const request = askRanges(connection, representation, ranges, take, silenceMs);
    // two bytes come together: who gives them one by one, or more and more, would have this connection for ever
    const limit = setTimeout(() => request.stop(), silenceMs);
    const outcome = await request.outcome;
    clearTimeout(limit);
    if (outcome === 'lost') return null;
    return outcome === 'refused' || !isSame ? 'none' : outcome;
  });
  const support = known === 'single' ? 'none' : await ask([first, last]);
  return support === 'none' ? ask([first]) : support;
}
