import * as v from 'valibot';
import { valuesOf, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { carriedFields } from '../../../shared/src/node/relay/carriedFields.ts';
import { DEFAULT_LEVEL, DICTIONARY_FIELD, ENCODE_FIELD, EncodingSchema, HASH_PATTERN, HAVE_FIELD, LEVEL_FIELD, LevelSchema, MAX_DICTIONARIES, MAX_HAVE, RATE_FIELD, RateSchema, type Encoding } from '../../../shared/src/relay/wire.ts';
import { urgencyOf } from './urgency.ts';

/** A request that the helper wants made. */
export interface RequestHead {
  readonly method: string;
  /** Scheme, host, port. */
  readonly origin: string;
  readonly path: string;
  readonly level: number;
  /** Among layout files (`urgencyOf`). */
  readonly urgency: number;
  /** For the server: end to end, with `Host`. */
  readonly fields: string[];
  /** What may be done to the coding of its answer. */
  readonly encodings: ReadonlySet<Encoding>;
  /** Kilobits per second of its link; null where that is not said. */
  readonly rate: number | null;
  /** Hashes of bodies that the helper has. */
  readonly dictionaries: readonly string[];
  /** Beginnings of hashes of bodies that it has of this server, for what is pushed. */
  readonly have: ReadonlySet<string>;
}

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
/** RFC 3986, section 3.2.2, without a name or a password. */
const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\%]+)(?::\d{1,5})?$/i;

/** @returns null for what is no request to a server of http: or https: */
export function requestHeadOf(raw: RawHeaders): RequestHead | null {
  const [method = '', scheme = '', authority = '', path = ''] = [':method', ':scheme', ':authority', ':path'].map((name) => valuesOf(raw, name)[0]);
  if (!TOKEN.test(method) || method === 'CONNECT' || !/^https?$/.test(scheme) || !AUTHORITY.test(authority)) return null;
  if (!path.startsWith('/') || !URL.canParse(`${scheme}://${authority}`)) return null;
  const { origin, host } = new URL(`${scheme}://${authority}`);
  const fields = ['host', host, ...without(carriedFields(raw), 'host')];
  return { method, origin, path, level: levelIn(valuesOf(raw, LEVEL_FIELD)[0]) ?? DEFAULT_LEVEL, urgency: urgencyOf(fields), fields, encodings: encodingsIn(raw), rate: rateIn(raw), dictionaries: namesIn(raw, DICTIONARY_FIELD).filter((name) => HASH_PATTERN.test(name)).slice(0, MAX_DICTIONARIES), have: new Set(namesIn(raw, HAVE_FIELD, ' ').slice(0, MAX_HAVE)) };
}

/** What a request says of its level; null for something else than a level. */
export function levelIn(field: string | string[] | undefined): number | null {
  if (field === undefined) return DEFAULT_LEVEL;
  const { success, output } = v.safeParse(LevelSchema, typeof field === 'string' && /^\d$/.test(field) ? Number(field) : null);
  return success ? output : null;
}

function rateIn(raw: RawHeaders): number | null {
  const { success, output } = v.safeParse(RateSchema, Number(valuesOf(raw, RATE_FIELD)[0]));
  return success ? output : null;
}

/** Those that this relay knows. */
function encodingsIn(raw: RawHeaders): ReadonlySet<Encoding> {
  const named = namesIn(raw, ENCODE_FIELD).map((name) => v.safeParse(EncodingSchema, name));
  return new Set(named.flatMap(({ success, output }) => (success ? [output] : [])));
}

function namesIn(raw: RawHeaders, field: string, parted = ','): string[] {
  return valuesOf(raw, field).flatMap((value) => value.split(parted)).map((name) => name.trim());
}
