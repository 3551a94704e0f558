import { codingOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { OWN_FIELDS } from '../../../shared/src/node/http/requestFields.ts';
import { valueOf, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** What a server says of bytes that are the same each time (RFC 9110, section 8.8.1). A weak tag says less. */
const STRONG_TAG = /^"[!#-~\x80-\xff]*"$/;
/** A part with both ends and the length of all (RFC 9110, section 14.4). */
const PART = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i;
/** Until a clock of seconds, or two that differ, can not have hidden a second change (RFC 9110, section 8.8.2.2; RFC 7232 named a minute). */
const SETTLED_MS = 60_000;

/** Bytes of a body or of a representation: from `first` on, before `end`. */
export interface ByteRange {
  readonly first: number;
  readonly end: number;
}

/** A range of a representation of which the length is known. */
export interface ContentRange extends ByteRange {
  readonly ofBytes: number;
}

/** What a part answer says that it is; null where it does not, or not clearly. */
export function contentRangeOf(fields: RawHeaders): ContentRange | null {
  const [, first, last, ofBytes] = PART.exec(valueOf(fields, 'content-range') ?? '') ?? [];
  const range = { first: Number(first), end: Number(last) + 1, ofBytes: Number(ofBytes) };
  return range.first < range.end && range.end <= range.ofBytes ? range : null;
}

/** The strong entity tag; null without one. */
export function strongTagOf(fields: RawHeaders): string | null {
  const tag = valueOf(fields, 'etag');
  return tag !== null && STRONG_TAG.test(tag) ? tag : null;
}

/** What If-Range may hold: the strong entity tag, else a date that is strong by its distance from the answer's (RFC 9110, sections 8.8.2.2 and 13.1.5). */
export function strongValidatorOf(fields: RawHeaders): string | null {
  if (valueOf(fields, 'etag') !== null) return strongTagOf(fields);
  const modified = valueOf(fields, 'last-modified');
  // without either date it is no number, and no larger one
  return modified !== null && Date.parse(valueOf(fields, 'date') ?? '') - Date.parse(modified) >= SETTLED_MS ? modified : null;
}

/** Whether a part is of the representation: it has the same tag, as a part has to (RFC 9110, section 15.3.7), and no other date. */
export function isSameRepresentation(fields: RawHeaders, of: RawHeaders): boolean {
  const isSameDate = [valueOf(of, 'last-modified'), null].includes(valueOf(fields, 'last-modified'));
  return valueOf(fields, 'etag') === valueOf(of, 'etag') && isSameDate && codingOf(fields) === '';
}

/** The fields of a request as they were, without those that ask for a part or a newer one. */
export function withoutConditions(headers: RawHeaders): RawHeaders {
  return OWN_FIELDS.filter((name) => name !== 'authorization').reduce<RawHeaders>((left, name) => without(left, name), headers);
}

/** The same for a body in no coding. */
export function identityOf(headers: RawHeaders): RawHeaders {
  return [...without(headers, 'accept-encoding'), 'accept-encoding', 'identity'];
}

/** The same for parts of exactly this representation (RFC 9110, sections 13.1.5 and 14.2). @param range with `bytes=` left out */
export function partOf(headers: RawHeaders, range: string, validator: string): RawHeaders {
  return [...identityOf(withoutConditions(headers)), 'range', `bytes=${range}`, 'if-range', validator];
}
