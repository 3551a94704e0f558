import { CARRIER_FIELDS } from '../../relay/wire.ts';
import { endToEnd, pairsOf, type RawHeaders } from '../http/rawHeaders.ts';

const LEFT: ReadonlySet<string> = new Set(CARRIER_FIELDS);

/**
 * What goes on end to end of the fields of a request or an answer: in lower case, as HTTP/2 has names (RFC 9113, section
 * 8.2.1), without its own, and without those of the carrier, which neither a page nor a server can say in place of helper
 * and relay.
 */
export function carriedFields(raw: RawHeaders): string[] {
  return pairsOf(endToEnd(raw)).flatMap(([field, value]) => {
    const name = field.toLowerCase();
    return name.startsWith(':') || LEFT.has(name) ? [] : [name, value];
  });
}
