/** Header fields as they came: name, value, name, value, … Order, case and repetition stay as they are. */
export type RawHeaders = readonly string[];

/** Of one head: Chromium's limit (net/http: kMaxHeaderBytes). A browser sends all its cookies for a host in one field. */
export const MAX_HEADER_BYTES = 256 * 1024;

/** Fields as undici gives them, in bytes or in text: a field's bytes are those of Latin-1 (RFC 9110, section 5.5). */
export function rawOf(headers: unknown): string[] {
  if (Array.isArray(headers)) return (headers as readonly (string | Buffer)[]).map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  return Object.entries((headers ?? {}) as Readonly<Record<string, string | string[] | undefined>>).flatMap(([name, value]) => [value].flat().flatMap((one) => (one === undefined ? [] : [name, one])));
}

/**
 * Of one connection only (RFC 9110, section 7.6.1; HTTP2-Settings: RFC 7540, section 3.2.1); the framing is made anew on
 * each side. `Expect` is answered here. Node throws where HTTP/2 is to carry one, behind a body in an event of its own.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'expect', 'http2-settings', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade']);

/** What goes on to the other side: all but the fields of this connection and those that `Connection` names. */
export function endToEnd(headers: RawHeaders): string[] {
  // a set: both the names and the fields may be as many as fit into a server's head
  const named = new Set(valuesOf(headers, 'connection').flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase())));
  return filter(headers, (name) => {
    const field = name.toLowerCase();
    return !HOP_BY_HOP.has(field) && !named.has(field);
  });
}

/** All values of a field, by its name in lower case. */
export function valuesOf(headers: RawHeaders, field: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) if (isNamed(headers[i], field)) values.push(headers[i + 1] ?? '');
  return values;
}

/** The only value of a field; null when it is absent, or there are several. */
export function valueOf(headers: RawHeaders, field: string): string | null {
  const values = valuesOf(headers, field);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** All fields but this one, by its name in lower case. */
export function without(headers: RawHeaders, field: string): string[] {
  return filter(headers, (name) => !isNamed(name, field));
}

/**
 * The cookies of a request in one field, in the place of the first: HTTP/2 may split them (RFC 9113, section 8.2.3).
 */
export function withJoinedCookies(headers: RawHeaders): RawHeaders {
  const cookies = valuesOf(headers, 'cookie');
  if (cookies.length < 2) return headers;
  const place = headers.findIndex((name, i) => i % 2 === 0 && isNamed(name, 'cookie'));
  return [...headers.slice(0, place), 'cookie', cookies.join('; '), ...without(headers.slice(place), 'cookie')];
}

/**
 * A value without the space around it (RFC 9110, section 5.6.3). JavaScript takes more for that: among it a byte that ends many a letter of UTF-8, as of "à" (C3 A0).
 */
export function trimmed(value: string): string {
  let [first, end] = [0, value.length];
  while (isSpace(value[first])) first += 1;
  while (end > first && isSpace(value[end - 1])) end -= 1;
  return value.slice(first, end);
}

/** Names and values by pairs. */
export function pairsOf(headers: RawHeaders): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) pairs.push([headers[i] ?? '', headers[i + 1] ?? '']);
  return pairs;
}

/** Values by their names in lower case, as Node takes what comes before an answer over HTTP/2, and behind it. */
export function groupedFields(headers: RawHeaders): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [field, value] of pairsOf(headers)) {
    const name = field.toLowerCase();
    const values = groups.get(name);
    if (values === undefined) groups.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries(groups);
}

/**
 * Fields by their names in lower case, lists of them joined (RFC 9110, section 5.3). Directives are alike in upper and lower case (RFC 9111, section 5.2), which libraries do not know.
 */
export function combinedFields(headers: RawHeaders): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [field, text] of pairsOf(headers)) {
    const name = field.toLowerCase();
    const before = fields.get(name);
    const value = name === 'cache-control' ? text.toLowerCase() : text;
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}

function filter(headers: RawHeaders, isKept: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (isKept(name)) kept.push(name, headers[i + 1] ?? '');
  }
  return kept;
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Most names differ in length: no text is made for those. */
function isNamed(name: string | undefined, field: string): boolean {
  return name?.length === field.length && name.toLowerCase() === field;
}
