import type { HelperParts } from '../../../shared/src/parts.ts';
import { EncodingSchema, type Encoding } from '../../../shared/src/relay/wire.ts';

/**
 * What a relay may do to the coding of answers, by the parts that there are.
 *
 * @param isWorthwhile whether the link is so slow that the time that it takes is won back
 * @param keeps whether bodies are kept here
 */
export function relayEncodings({ relayImages, relayText }: HelperParts, isWorthwhile: boolean, keeps: boolean): readonly Encoding[] {
  const names = { images: relayImages && isWorthwhile, zstd: relayText && isWorthwhile, keep: keeps };
  return EncodingSchema.options.filter((name) => names[name]);
}
