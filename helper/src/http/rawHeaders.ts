/** Header fields as they came: name, value, name, value, … Order, case and repetition stay as they are. */
export type RawHeaders = readonly string[];

/** Of one connection only (RFC 9110, section 7.6.1); the framing is made anew on each side. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade']);

/** What goes on to the other side: all but the fields of this connection and those that `Connection` names. */
export function endToEnd(headers: RawHeaders): string[] {
  const named = new Set(valuesOf(headers, 'connection').flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase())));
  return fieldsOf(headers).flatMap(([name, value]) => (HOP_BY_HOP.has(name.toLowerCase()) || named.has(name.toLowerCase()) ? [] : [name, value]));
}

/** All values of a field, by its name in lower case. */
export function valuesOf(headers: RawHeaders, field: string): string[] {
  return fieldsOf(headers).flatMap(([name, value]) => (name.toLowerCase() === field ? [value] : []));
}

/** The only value of a field; null when it is absent, or there are several. */
export function valueOf(headers: RawHeaders, field: string): string | null {
  const values = valuesOf(headers, field);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** All fields but this one, by its name in lower case. */
export function without(headers: RawHeaders, field: string): string[] {
  return fieldsOf(headers).flatMap(([name, value]) => (name.toLowerCase() === field ? [] : [name, value]));
}

function fieldsOf(headers: RawHeaders): [string, string][] {
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) fields.push([headers[i] ?? '', headers[i + 1] ?? '']);
  return fields;
}
