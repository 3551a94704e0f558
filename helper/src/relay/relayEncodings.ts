import type { HelperParts } from '../../../shared/src/parts.ts';
import type { Encoding } from '../../../shared/src/relay/wire.ts';

/** What a relay may do to the coding of answers, by the parts that there are. */
export function relayEncodings({ relayImages, relayText }: HelperParts): readonly Encoding[] {
  return [...(relayImages ? ['images' as const] : []), ...(relayText ? ['zstd' as const] : [])];
}
