import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { lengthOf } from './contentLength.ts';
import type { RawHeaders } from './rawHeaders.ts';

/** Forms, and what scripts send, are mostly shorter. */
const MAX_BYTES = 64 * 1024;

/**
 * The body of a request that says that it is short. It is had whole before the request is made, and can be had again where
 * the server has taken no part of it (RFC 9113, sections 6.8 and 8.7).
 *
 * @param fields of the request
 * @returns null where there is none, or it may be long; what comes is null where it was cut off. It never rejects
 */
export function shortBody(body: Readable | null, fields: RawHeaders): Promise<Buffer | null> | null {
  const length = lengthOf(fields);
  if (body === null || length === null || length > MAX_BYTES) return null;
  return buffer(body).then((bytes) => (bytes.length === length ? bytes : null), () => null);
}
