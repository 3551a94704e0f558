import { mediaTypeOf } from '../../../shared/src/node/http/mediaType.ts';
import { pairsOf, valueOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { OF_CODED_BYTES } from './digestFields.ts';
import type { EncodedImage } from './encodeImage.ts';
import { IMAGE_TYPES, type ImageType } from './imageKind.ts';
import { mayTransform } from './mayTransform.ts';
import { variantTag } from './variantTag.ts';

const OK = 200;
/** Of a picture that is kept until it is there. */
export const MAX_IMAGE_BYTES = 1024 * 1024;
/** What is smaller fits into one packet, whatever its form. */
const MIN_IMAGE_BYTES = 300;
const TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/jpg', 'image/png', 'image/gif']);
/** About these very bytes. */
const OF_THE_BYTES: ReadonlySet<string> = new Set([...OF_CODED_BYTES, 'unencoded-digest', 'content-length', 'content-type', 'etag', 'accept-ranges', 'vary']);
/** Whether the browser may use a variant for another request follows from these: scripts that read a picture have others. */
const VARY = 'accept, sec-fetch-dest, sec-fetch-mode';

/**
 * Which other kinds of picture may answer a request; none where its bytes may be read, or the user wants them as they are (a reload past the cache).
 *
 * @param origin of the server
 */
export function imageTypesFor(method: string, origin: string, request: RawHeaders): readonly ImageType[] {
  const isShown = isForElement(origin, request);
  const wantsOriginal = valuesOf(request, 'cache-control').some((value) => /\bno-(?:transform|cache)\b/i.test(value));
  if (method !== 'GET' || !isShown || wantsOriginal || valueOf(request, 'range') !== null) return [];
  const accepted = valuesOf(request, 'accept').join(',').toLowerCase().split(',').map((part) => part.trim());
  return IMAGE_TYPES.filter((type) => accepted.some((part) => part === type || (part.startsWith(`${type};`) && !/;\s*q=0(?:\.0*)?$/.test(part))));
}

/**
 * Whether an element shows the answer, and no script reads it. In clear browsers do not say so (Fetch Metadata, section 2: trustworthy URLs only); but of their own accord they ask for
 * pictures first for elements alone (Fetch, section 4.1), and say Origin where pixels may be read across origins.
 */
function isForElement(origin: string, request: RawHeaders): boolean {
  const destination = valueOf(request, 'sec-fetch-dest');
  if (destination !== null || !origin.startsWith('http:')) return destination === 'image' && valueOf(request, 'sec-fetch-mode') === 'no-cors';
  return /^\s*image\//i.test(valueOf(request, 'accept') ?? '') && valueOf(request, 'origin') === null;
}

/** Whether an answer may come as another kind of picture: whole, in no coding, and its server does not forbid it. */
export function isImageAnswer(status: number, answer: RawHeaders): boolean {
  const bytes = Number(valueOf(answer, 'content-length') ?? MIN_IMAGE_BYTES);
  return status === OK && TYPES.has(mediaTypeOf(answer)) && bytes >= MIN_IMAGE_BYTES && bytes <= MAX_IMAGE_BYTES && mayTransform(answer) && valueOf(answer, 'content-encoding') === null && valueOf(answer, 'content-range') === null;
}

/**
 * The fields of an answer that comes as another kind of picture. Of one that was cut off Chromium asks for the rest by the date where it has no tag, and would have that of the server's own bytes behind these
 * (HttpCache::Transaction::CanResume): it does not where there are no ranges (RFC 9110, section 14.3).
 */
export function variantFields(answer: RawHeaders, { type, body }: EncodedImage): string[] {
  const kept = pairsOf(answer).filter(([name]) => !OF_THE_BYTES.has(name.toLowerCase())).flat();
  const tag = variantTag(valueOf(answer, 'etag') ?? '', type);
  const vary = [...valuesOf(answer, 'vary'), VARY].join(', ');
  return [...kept, 'content-type', type, 'content-length', String(body.length), 'accept-ranges', 'none', 'vary', vary, ...(tag === null ? [] : ['etag', tag])];
}
