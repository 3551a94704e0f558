import ipaddr from 'ipaddr.js';

/** One address of a host. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** What is known of a host's addresses, and until when. */
export interface AddressAnswer {
  /** None where it is known that there is none. */
  readonly addresses: readonly Address[];
  /** Seconds, from the DNS (RFC 1035, section 3.2.1). */
  readonly ttlSeconds: number;
}

/** IPv6 has colons, and four decimal parts end with a digit. */
const MAY_BE_ADDRESS = /:|\d$/;

/**
 * The family of an address; null for text that is none. Only for what every reader takes for the same one: ipaddr.js has octal, hexadecimal and left-out parts as
 * well, which others read otherwise or as a name.
 */
export function familyOf(text: string): 4 | 6 | null {
  // ipaddr.js throws and catches for each text that is none, and most that is asked about is a name
  if (!MAY_BE_ADDRESS.test(text)) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  const [, dotted] = /:([^:%]*\.[^:%]*)(?:%|$)/.exec(text) ?? [];
  return ipaddr.IPv6.isValid(text) && (dotted === undefined || ipaddr.IPv4.isValidFourPartDecimal(dotted)) ? 6 : null;
}
