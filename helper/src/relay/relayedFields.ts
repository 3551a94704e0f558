import { pairsOf, valuesOf, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { carriedFields } from '../../../shared/src/node/relay/carriedFields.ts';
import { CARRIER_FIELDS, CODED_FIELD, CODED_PATTERN, DICTIONARY_FIELD, ENCODE_FIELD, HAVE_FIELD, LENGTH_FIELD, LEVEL_FIELD, PUSH_FIELD, RATE_FIELD, SERVERS_FIELD, type BodyCoding, type Servers } from '../../../shared/src/relay/wire.ts';
import type { CodingTerms } from './codingTerms.ts';
import type { Told } from '../upstream/connection.ts';

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

/** What a server is told of a request, by the carrier: `Host` is said by `:authority`. @param headers end to end, as they came */
export function sentFields(headers: RawHeaders): string[] {
  return without(carriedFields(headers), 'host');
}

/** In kilobits per second, to two digits: what does not change costs no bytes (HPACK). */
function rateIn(bitsPerSecond: number): string {
  return String(Math.max(1, Math.round(Number((bitsPerSecond / 1000).toPrecision(2)))));
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
  const [length = null] = valuesOf(raw, LENGTH_FIELD);
  return (name === 'br' || name === 'zstd') && (length === null || /^\d{1,15}$/.test(length)) ? { name, dictionary, length: length === null ? null : Number(length) } : undefined;
}

/** The answer of a server from the fields of its stream. @param coding of its body; null for none, of which HTTP/2 sees to the length (RFC 9113, section 8.1.1) */
export function answerFields(raw: RawHeaders, coding: Pick<CarrierCoding, 'length'> | null): { readonly status: number; readonly fields: string[] } {
  const fields = carriedFields(raw);
  const status = Number(valuesOf(raw, ':status')[0]);
  if (coding === null) return { status, fields };
  // that of the coded bytes would have the browser take what is more for its next answer, which may be another server's
  return { status, fields: [...without(fields, 'content-length'), ...(coding.length === null ? [] : ['content-length', String(coding.length)])] };
}

/**
 * Whether two requests are the same one: what they ask for, and all fields in any order, but for those of the carrier and for Priority (RFC 9218), which says only how soon an answer is wanted: a browser
 * says it of a request that nobody has foreseen, and the relay can not know it.
 */
export function asksTheSame(a: RawHeaders, b: RawHeaders): boolean {
  const said = (fields: RawHeaders): string => pairsOf(fields).flatMap(([name, value]) => (CARRIER_FIELDS.includes(name) || name === 'priority' ? [] : [`${name}: ${value}`])).sort().join('\n');
  return said(a) === said(b);
}
