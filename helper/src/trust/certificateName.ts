import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { MAX_HOST_CHARS } from '../../../shared/src/names/authority.ts';

/** A host as certificates and the exclusion list name it: a name in lower case and ASCII without a last dot, or an address without brackets. */
export interface CertificateName {
  readonly type: 'dns' | 'ip';
  readonly value: string;
}

/** Letters, digits, hyphens inside (RFC 952, RFC 1123), and underscores, which no authority of the web certifies but many a host under a wildcard has, and browsers take. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** ASCII that is in no host name. domainToASCII reads it as a URL's parser would, and of `a.com/b` returns `a.com`. */
const NOT_IN_NAMES = /[^\w.\u0080-\u{10ffff}-]/u;

/**
 * @param host as in a URL: a name, in Unicode or ASCII, or an address; IPv6 with or without brackets
 * @returns null when it is neither: also for wildcards, zones of addresses, and names that a browser would read as an address (`1.2.3`, `0x7f.1`)
 */
export function parseCertificateName(host: string): CertificateName | null {
  const address = /^\[.*\]$/.test(host) ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) return address.includes('%') ? null : { type: 'ip', value: canonicalAddress(address) };
  if (NOT_IN_NAMES.test(host)) return null;
  const name = domainToASCII(host).replace(/\.$/, '');
  if (isIP(name) !== 0 || name.length > MAX_HOST_CHARS) return null;
  return name.split('.').every((label) => LABEL.test(label)) ? { type: 'dns', value: name } : null;
}

/** One spelling for each IPv6 address. */
function canonicalAddress(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address;
}
