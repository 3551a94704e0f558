import { endToEnd, pairsOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { CODED_FIELD, ERROR_FIELD, LENGTH_FIELD } from '../../../shared/src/relay/wire.ts';

/** What only a relay says, no server can say in its place; and what HTTP/2 does not carry (RFC 9113, section 8.2.2). */
const LEFT: ReadonlySet<string> = new Set([ERROR_FIELD, CODED_FIELD, LENGTH_FIELD, 'http2-settings']);

/** The fields of a server's answer as they go over the carrier: as they came, in lower case (RFC 9113, section 8.2.1). */
export function carriedFields(raw: RawHeaders): string[] {
  return pairsOf(endToEnd(raw)).flatMap(([name, value]) => (name.startsWith(':') || LEFT.has(name.toLowerCase()) ? [] : [name.toLowerCase(), value]));
}
