import CachePolicy from 'http-cache-semantics';
import { combinedFields, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/**
 * For how long a browser may use an answer to a GET that it gets now without asking again (RFC 9111, section 4.2; a
 * private cache).
 *
 * @returns milliseconds; 0 when it has to ask at once, null when it keeps nothing
 */
export function freshForMs(status: number, headers: RawHeaders): number | null {
  const policy = new CachePolicy({ method: 'GET', headers: {} }, { status, headers: combinedFields(headers) }, { shared: false });
  if (!policy.storable()) return null;
  return Math.max(0, policy.maxAge() - policy.age()) * 1000;
}

/**
 * Whether its server says for how long an answer to a GET may be used, and lets caches that serve everybody use it, whatever
 * cookies a request has (RFC 9111, sections 3 and 4.2.1). What a cache would guess from Last-Modified does not count.
 */
export function isFreshForAll(status: number, headers: RawHeaders): boolean {
  const policy = new CachePolicy({ method: 'GET', headers: {} }, { status, headers: combinedFields(headers) }, { shared: true, cacheHeuristic: 0 });
  return policy.storable() && policy.maxAge() > policy.age();
}
