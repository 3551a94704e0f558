import type { HelperParts } from '../../../shared/src/parts.ts';
import { EncodingSchema, type Encoding } from '../../../shared/src/relay/wire.ts';

/** What a relay may do to the coding of answers. */
export interface CodingTerms {
  readonly encodings: readonly Encoding[];
  /** Of the link: how long that may take. */
  readonly rateBitsPerSecond: number;
}

export const UNCODED: CodingTerms = { encodings: [], rateBitsPerSecond: 0 };

/**
 * By the parts that there are.
 *
 * @param isWorthwhile whether the link is so slow that the time that it takes is won back
 * @param keeps whether bodies are kept here
 */
export function codingTerms({ relayImages, relayText }: HelperParts, rateBitsPerSecond: number, isWorthwhile: boolean, keeps: boolean): CodingTerms {
  const names = { images: relayImages && isWorthwhile, br: relayText && isWorthwhile, zstd: relayText && isWorthwhile, keep: keeps };
  return { encodings: EncodingSchema.options.filter((name) => names[name]), rateBitsPerSecond };
}
