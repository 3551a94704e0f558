import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { pairsOf, valueOf } from '../../../shared/src/node/http/rawHeaders.ts';

/** An entity tag (RFC 9110, section 8.8.3). */
const TAG = /^(W\/)?"([!#-~\x80-\xff]*)"$/;
/** Of a variant: the server's own, whether that is strong, and the kind of picture. */
const VARIANT = /^W\/"([!#-~\x80-\xff]*)\.firstscreen-(s|w)-(avif|webp)"$/;

/** The tag of a variant of what has this tag: another one for each, and never strong, as bytes differ. Null where the server's is none. */
export function variantTag(tag: string, type: string): string | null {
  const [, weak, opaque] = TAG.exec(tag) ?? [];
  return opaque === undefined ? null : `W/"${opaque}.firstscreen-${weak === undefined ? 's' : 'w'}-${type.replace('image/', '')}"`;
}

/** Which tag a server gave to what has this one; null for no variant's. */
export function serverTag(tag: string): string | null {
  const [, opaque, strength] = VARIANT.exec(tag) ?? [];
  return opaque === undefined ? null : `${strength === 'w' ? 'W/' : ''}"${opaque}"`;
}

/**
 * A request that asks whether a variant is still right, in the words of its server. Where a variant would be no answer to it, a variant's tag says nothing.
 *
 * @param takesVariants whether the request may be answered with one
 */
export function withServerTags(fields: RawHeaders, takesVariants: boolean): string[] {
  return pairsOf(fields).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'if-none-match' || !value.includes('.firstscreen-')) return [name, value];
    const tags = value.split(/,\s*/).flatMap((tag) => {
      const own = serverTag(tag);
      if (own === null) return [tag];
      return takesVariants ? [own] : [];
    });
    return tags.length === 0 ? [] : [name, tags.join(', ')];
  });
}

/** The answer that a variant is still right, in the words in which it was asked. @param request as the browser has sent it */
export function withVariantTag(answer: RawHeaders, request: RawHeaders): string[] {
  const asked = (valueOf(request, 'if-none-match') ?? '').split(/,\s*/);
  return pairsOf(answer).flatMap(([name, value]) => {
    if (name.toLowerCase() !== 'etag') return [name, value];
    const bare = value.replace(/^W\//, '');
    return [name, asked.find((tag) => serverTag(tag)?.replace(/^W\//, '') === bare) ?? value];
  });
}
