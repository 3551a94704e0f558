import { X509Certificate } from 'node:crypto';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { authorityOf } from '../../../shared/src/names/authority.ts';
import type { RelayConfig } from '../relay/relayConfig.ts';

/** Why there is no conversation with the relay, and what to do. */
export interface RelayFault {
  readonly detail: string;
  readonly next: string;
}

type Place = Pick<RelayConfig, 'host' | 'port'>;

/** By what the system, or a resolver, has said on the way to the relay: the first that is found says most. */
const REASONS: readonly (readonly [codes: readonly string[], fault: (place: Place) => RelayFault])[] = [
  [['E_NAME'], ({ host }) => ({ detail: `no resolver of this machine knows ${host}`, next: 'See whether the name is right and the network is there; an address does as well: firstscreen-helper relay add ADDRESS:PORT FINGERPRINT' })],
  [['ECONNREFUSED'], (place) => ({ detail: `${authorityOf(place)} is closed: the machine is there and refuses the connection`, next: 'On the relay, run "firstscreen-relay doctor": it may not run, listen on another port, or be behind a firewall that refuses.' })],
  [['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN'], ({ host }) => ({ detail: `there is no way from this network to ${host}`, next: 'See whether this machine is online; a relay with IPv6 alone is not reached from a network without it: add it by its IPv4 address.' })],
  [['ETIMEDOUT', 'E_RELAY_UNAVAILABLE'], (place) => ({ detail: `${authorityOf(place)} does not answer`, next: `Let TCP port ${place.port} in on the relay (as with "ufw allow ${place.port}/tcp"), in the firewall of its provider and in a router before it; some networks let only port 443 out.` })],
];

/** In the words of who has to mend it. @throws what is a defect */
export function describeRelayFault(error: unknown, place: Place): RelayFault {
  if (!(error instanceof FirstscreenError)) throw error;
  const fault: RelayFault = { detail: error.message.replace(/\.$/, ''), next: error.next };
  if (error.code === 'E_RELAY_VERSION') return { ...fault, next: 'Bring helper and relay to one release: "firstscreen-helper relay setup" again brings an older relay to this one, apt that of a package.' };
  if (error.code !== 'E_RELAY_UNAVAILABLE') return fault;
  const codes = codesUnder(error.cause);
  return REASONS.find(([known]) => known.some((code) => codes.has(code)))?.[1](place) ?? fault;
}

/** Of all that has led to an error. */
function codesUnder(cause: unknown): Set<string> {
  if (!(cause instanceof Error)) return new Set();
  const own = 'code' in cause ? [String(cause.code)] : [];
  const others = cause instanceof AggregateError ? (cause.errors as readonly unknown[]) : [];
  return new Set([...own, ...[cause.cause, ...others].flatMap((under) => [...codesUnder(under)])]);
}

/**
 * What is wrong with this helper's own key, or with the clock by which that is judged. Neither side of a carrier looks at dates, but the relay's
 * machine, or this one, with a wrong clock refuses the certificates of servers.
 */
export function describeOwnKey({ certificatePem }: Pick<RelayConfig, 'certificatePem'>, now: Date): RelayFault | null {
  const { validFromDate, validToDate } = new X509Certificate(certificatePem);
  if (now < validFromDate) return { detail: `the clock of this machine (${dayOf(now)}) is before the day on which this helper's key was made`, next: 'Set the clock (timedatectl set-ntp true).' };
  if (now > validToDate) return { detail: `the key of this helper has ended on ${dayOf(validToDate)}`, next: 'Run "firstscreen-helper relay remove", then "relay setup" or "relay add" again.' };
  return null;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
