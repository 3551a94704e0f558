import { endToEnd, pairsOf, valuesOf, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { CODED_FIELD, CODED_PATTERN, DICTIONARY_FIELD, ENCODE_FIELD, ERROR_FIELD, HAVE_FIELD, LENGTH_FIELD, LEVEL_FIELD, PUSH_FIELD, RATE_FIELD, SERVERS_FIELD, type BodyCoding, type Servers } from '../../../shared/src/relay/wire.ts';
import type { CodingTerms } from './codingTerms.ts';
import type { Told } from '../upstream/connection.ts';

/** Of the carrier alone: neither a page nor a server can say them in our place. */
const OWN: readonly string[] = [LEVEL_FIELD, PUSH_FIELD, SERVERS_FIELD, ENCODE_FIELD, RATE_FIELD, DICTIONARY_FIELD, HAVE_FIELD, CODED_FIELD, LENGTH_FIELD, ERROR_FIELD];
/** `Host` is said by `:authority`; HTTP2-Settings is of a connection (RFC 9113, section 8.2.2). */
const NOT_SENT: ReadonlySet<string> = new Set([...OWN, 'host', 'http2-settings']);
const NOT_TAKEN: ReadonlySet<string> = new Set(OWN);

/** What goes with the request for a page, for what is pushed. */
export interface PageTerms {
  /** Beginnings of hashes of bodies by which it may be coded. */
  readonly have: readonly string[];
  readonly servers: Servers | null;
}

const NO_PAGE: PageTerms = { have: [], servers: null };

/**
 * A request as the fields of a stream of the carrier.
 *
 * @param headers end to end, as they came; names are in lower case over HTTP/2 (RFC 9113, section 8.2.1)
 * @param coding what the relay may do to the coding of the answer
 * @param dictionaries hashes of bodies by which it may be coded
 */
export function requestFields(method: string, origin: string, path: string, headers: RawHeaders, { level, pushes }: Told, { encodings, rateBitsPerSecond }: CodingTerms, dictionaries: readonly string[], { have, servers }: PageTerms = NO_PAGE): string[] {
  const { protocol, host } = new URL(origin);
  const own = [LEVEL_FIELD, String(level), ...(pushes === null ? [] : [PUSH_FIELD, pushes]), ...(encodings.length === 0 ? [] : [ENCODE_FIELD, encodings.join(', ')]), ...(encodings.includes('images') ? [RATE_FIELD, rateIn(rateBitsPerSecond)] : []), ...(dictionaries.length === 0 ? [] : [DICTIONARY_FIELD, dictionaries.join(', ')]), ...(have.length === 0 ? [] : [HAVE_FIELD, have.join(' ')]), ...(servers === null ? [] : [SERVERS_FIELD, servers])];
  return [':method', method, ':scheme', protocol.slice(0, -1), ':authority', host, ':path', path, ...own, ...sentFields(headers)];
}

/** What a server is told of a request, by the carrier. @param headers end to end, as they came */
export function sentFields(headers: RawHeaders): string[] {
  return plain(headers, NOT_SENT);
}

/** In kilobits per second, to two digits: what does not change costs no bytes (HPACK). */
function rateIn(bitsPerSecond: number): string {
  return String(Math.max(1, Math.round(Number((bitsPerSecond / 1000).toPrecision(2)))));
}

/** The answer of a server from the fields of its stream. */
export function answerFields(raw: RawHeaders): { readonly status: number; readonly fields: string[] } {
  const [length] = valuesOf(raw, LENGTH_FIELD);
  const fields = carriedFields(raw);
  // what is said of the coded bytes beside it is of no use to the browser
  return { status: Number(valuesOf(raw, ':status')[0]), fields: length === undefined ? fields : [...without(fields, 'content-length'), 'content-length', length] };
}

/** In what coding of the carrier a body comes. */
export interface CarrierCoding {
  readonly name: BodyCoding;
  /** Of the body that it is coded against; null for none. */
  readonly dictionary: string | null;
  /** Of what is decoded; null where that is not said. */
  readonly length: number | null;
}

/** @returns null for none, undefined for one that is not ours */
export function carrierCoding(raw: RawHeaders): CarrierCoding | null | undefined {
  const [said] = valuesOf(raw, CODED_FIELD);
  if (said === undefined) return null;
  const [, name, dictionary = null] = CODED_PATTERN.exec(said) ?? [];
  const [length] = valuesOf(raw, LENGTH_FIELD);
  return (name === 'br' || name === 'zstd') && /^\d{0,15}$/.test(length ?? '') ? { name, dictionary, length: length === undefined ? null : Number(length) } : undefined;
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
