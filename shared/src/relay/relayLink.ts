import { FirstscreenError } from '../errors.ts';
import { authorityOf, parseAuthority, type Destination } from '../names/authority.ts';

/** Names below it are the relay itself among the hosts that a browser asks its proxy for: no name of the DNS ends so (RFC 6761, section 6.4). */
export const RELAY_OWN_HOST = 'firstscreen-relay.invalid';
/** What is answered for it to who is let in. */
export const RELAY_OWN_STATUS = 204;

/** Of a user, in a URL and in Basic credentials without an escape. */
export const RELAY_USER = /^\w[\w.-]{0,63}$/;
/** 32 random bytes, base64url. */
export const RELAY_TOKEN = /^[\w-]{43}$/;

/** A relay as a proxy of browsers, and who comes there. */
export interface RelayLink extends Destination {
  readonly user: string;
  readonly token: string;
}

/** One text to copy, `firstscreen-relay://USER:TOKEN@HOST:PORT`. Who has it has the relay. */
export function relayLinkText(link: RelayLink): string {
  return `firstscreen-relay://${link.user}:${link.token}@${authorityOf(link)}`;
}

/** @throws FirstscreenError E_RELAY_LINK, which never holds the text */
export function parseRelayLink(text: string): RelayLink {
  const [, user = '', token = '', authority = ''] = /^firstscreen-relay:\/\/([^:@/\s]+):([^:@/\s]+)@([^@/\s]+)\/?$/.exec(text.trim()) ?? [];
  const place = parseAuthority(authority.toLowerCase());
  if (!RELAY_USER.test(user) || !RELAY_TOKEN.test(token) || place === null || !isPlainHost(place.host)) {
    throw new FirstscreenError('E_RELAY_LINK', 'This is no link of a relay.', 'Copy the whole line that "firstscreen-relay proxy-allow" says.');
  }
  return { user, token, ...place };
}

/** What certificates are made for: a name in the DNS, or an address. */
export function isPlainHost(host: string): boolean {
  return /^(?:[a-z\d_-]+\.)+[a-z\d-]+$|^\[[\da-f:.]+\]$/.test(host);
}
