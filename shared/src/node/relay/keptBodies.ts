import { createHash } from 'node:crypto';
import { isDecodable } from '../reading/contentDecoding.ts';
import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';

const OK = 200;
/** A body that helper and relay keep to code a later one against it, without its content coding. */
export const MAX_KEPT_BYTES = 1024 * 1024;
/** What is smaller costs no more than a few packets anyhow. */
export const MIN_KEPT_BYTES = 300;

/** SHA-256, base64url. */
export function hashOf(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url');
}

/** The content coding of an answer, in lower case; empty for none. */
export function codingOf(answer: RawHeaders): string {
  const coding = valuesOf(answer, 'content-encoding').join(',').trim().toLowerCase();
  return coding === 'identity' ? '' : coding;
}

/** Whether an answer to this request is a whole body that can be read. */
export function isWholeBody(method: string, request: RawHeaders, status: number, answer: RawHeaders): boolean {
  const coding = codingOf(answer);
  return method === 'GET' && status === OK && valueOf(request, 'range') === null && (coding === '' || isDecodable(coding));
}

/** Whether both ends keep such a body: not what is to be forgotten at once (RFC 9111, section 5.2.2.5). */
export function isKept(answer: RawHeaders): boolean {
  const bytes = Number(valueOf(answer, 'content-length') ?? MIN_KEPT_BYTES);
  return bytes <= MAX_KEPT_BYTES && !valuesOf(answer, 'cache-control').some((value) => /\bno-store\b/i.test(value));
}
