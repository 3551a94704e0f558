export const MAX_PORT = 65_535;
/** The longest name of the DNS, in characters (RFC 1035, section 2.3.4). */
export const MAX_HOST_CHARS = 253;
/** Of a URL that names none, by its scheme. */
export const USUAL_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Where a request goes: `host` as in a URL, an IPv6 address in brackets. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** `HOST:PORT`, or `HOST` where there is a usual port (RFC 3986, section 3.2); null for anything else. */
export function parseAuthority(text: string, usualPort = 0): Destination | null {
  const [, host = '', digits = usualPort] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const port = Number(digits);
  return host === '' || port < 1 || port > MAX_PORT ? null : { host, port };
}

/** The authority form of a destination: one name for each server. */
export function authorityOf({ host, port }: Destination): string {
  return `${host}:${port}`;
}

/** Without the brackets that an IPv6 address has in a URL. */
export function bareHost(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

/** One name for each host: also without the dot of the root, in lower case. */
export function nameOfHost(host: string): string {
  return bareHost(host).replace(/\.$/, '').toLowerCase();
}
