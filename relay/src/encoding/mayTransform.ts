import { valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** Whether the server lets others change what it has sent (RFC 9111, section 5.2.2.6). */
export function mayTransform(answer: RawHeaders): boolean {
  return !valuesOf(answer, 'cache-control').some((value) => /\bno-transform\b/i.test(value));
}
