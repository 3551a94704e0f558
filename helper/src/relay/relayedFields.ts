import { endToEnd, pairsOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { ERROR_FIELD, LEVEL_FIELD, PUSH_FIELD } from '../../../shared/src/relay/wire.ts';
import type { Told } from '../upstream/connection.ts';

/** Of the carrier alone: neither a page nor a server can say them in our place. */
const OWN: readonly string[] = [LEVEL_FIELD, PUSH_FIELD, ERROR_FIELD];
/** `Host` is said by `:authority`; HTTP2-Settings is of a connection (RFC 9113, section 8.2.2). */
const NOT_SENT: ReadonlySet<string> = new Set([...OWN, 'host', 'http2-settings']);
const NOT_TAKEN: ReadonlySet<string> = new Set(OWN);

/**
 * A request as the fields of a stream of the carrier.
 *
 * @param headers end to end, as they came; names are in lower case over HTTP/2 (RFC 9113, section 8.2.1)
 */
export function requestFields(method: string, origin: string, path: string, headers: RawHeaders, { level, pushes }: Told): string[] {
  const { protocol, host } = new URL(origin);
  return [':method', method, ':scheme', protocol.slice(0, -1), ':authority', host, ':path', path, LEVEL_FIELD, String(level), ...(pushes === null ? [] : [PUSH_FIELD, pushes]), ...plain(headers, NOT_SENT)];
}

/** The answer of a server from the fields of its stream. */
export function answerFields(raw: RawHeaders): { readonly status: number; readonly fields: string[] } {
  return { status: Number(valuesOf(raw, ':status')[0]), fields: carriedFields(raw) };
}

/** What the fields of a stream say end to end. */
export function carriedFields(raw: RawHeaders): string[] {
  return plain(raw, NOT_TAKEN);
}

function plain(headers: RawHeaders, left: ReadonlySet<string>): string[] {
  return pairsOf(endToEnd(headers)).flatMap(([name, value]) => (left.has(name.toLowerCase()) || name.startsWith(':') ? [] : [name.toLowerCase(), value]));
}

/**
 * Whether two requests are the same one: what they ask for, and all fields in any order, but for those of the carrier and for Priority (RFC 9218), which says only how soon an answer is wanted: a browser
 * says it of a request that nobody has foreseen, and the relay can not know it.
 */
export function asksTheSame(a: RawHeaders, b: RawHeaders): boolean {
  const said = (fields: RawHeaders): string => pairsOf(fields).flatMap(([name, value]) => (OWN.includes(name) || name === 'priority' ? [] : [`${name}: ${value}`])).sort().join('\n');
  return said(a) === said(b);
}
