import CachePolicy from 'http-cache-semantics';
import { pairsOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/**
 * For how long a browser may use an answer to a GET that it gets now without asking again (RFC 9111, section 4.2; a
 * private cache).
 *
 * @returns milliseconds; 0 when it has to ask at once, null when it keeps nothing
 */
export function freshForMs(status: number, headers: RawHeaders): number | null {
  const policy = new CachePolicy({ method: 'GET', headers: {} }, { status, headers: combined(headers) }, { shared: false });
  if (!policy.storable()) return null;
  return Math.max(0, policy.maxAge() - policy.age()) * 1000;
}

/**
 * The fields of an answer by their names, lists of them joined (RFC 9110, section 5.3). Directives are alike in upper
 * and lower case (RFC 9111, section 5.2), which the library does not know.
 */
function combined(headers: RawHeaders): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [field, text] of pairsOf(headers)) {
    const name = field.toLowerCase();
    const before = fields.get(name);
    const value = name === 'cache-control' ? text.toLowerCase() : text;
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}
