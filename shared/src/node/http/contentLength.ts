import { valueOf, type RawHeaders } from './rawHeaders.ts';

/** Content-Length, in bytes; null where it is not said, or not clearly. */
export function lengthOf(fields: RawHeaders): number | null {
  const value = valueOf(fields, 'content-length');
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
}
