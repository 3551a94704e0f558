import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** A service before the server asks who is there: it has judged the relay's address, and will judge it so again. */
const CHALLENGED_MS = 30 * DAY_MS;
/** A page is refused: it may be for everybody, which costs only speed until it is tried again. */
const REFUSED_MS = DAY_MS;
const MAX_HOSTS = 2_000;

/** Too many requests of an address, an address that may not, or one of a country that may not (RFC 6585, section 4; RFC 7725). */
const REFUSALS: ReadonlySet<number> = new Set([403, 429, 451]);
/** By which services that stand before servers mark an answer of their own: Cloudflare, Amazon, Vercel, DataDome, HUMAN, Sucuri. */
const CHALLENGE_FIELDS: readonly string[] = ['cf-mitigated', 'x-amzn-waf-action', 'x-vercel-mitigated', 'x-datadome', 'x-px-blocked', 'x-sucuri-block'];
/** The same by who says it, with a refusal. */
const CHALLENGE_SERVERS = /^(?:akamaighost|ddos-guard)\b/i;

/**
 * Hosts that answer the relay otherwise than they would their user: with a challenge, or a refusal of its address. They go direct from then on, for as long as that is likely to be so. For as long as this process lives: a file would tell where its user has
 * been. No I/O; times are milliseconds of the wall clock, which goes on while the machine sleeps.
 */
export class RefusedHosts {
  /** Until when, by host. */
  private readonly hosts = new LRUCache<string, number>({ max: MAX_HOSTS });

  /** @param host as in a URL */
  has(host: string, nowMs: number): boolean {
    const untilMs = this.hosts.get(host);
    if (untilMs === undefined) return false;
    if (nowMs < untilMs) return true;
    this.hosts.delete(host);
    return false;
  }

  /** What has come by the relay. @returns whether the host goes direct from now on */
  answered(host: string, request: RawHeaders, status: number, response: RawHeaders, nowMs: number): boolean {
    const forMs = isChallenge(status, response) ? CHALLENGED_MS : isPageRefused(request, status) ? REFUSED_MS : null;
    if (forMs !== null) this.hosts.set(host, Math.max(nowMs + forMs, this.hosts.get(host) ?? 0));
    return forMs !== null;
  }
}

function isChallenge(status: number, response: RawHeaders): boolean {
  if (status < 200 || status === 304) return false;
  const isMarked = CHALLENGE_FIELDS.some((name) => valueOf(response, name) !== null);
  // some mark what passes, too
  return (isMarked && (REFUSALS.has(status) || status === 202 || status === 405 || status === 503)) || (REFUSALS.has(status) && CHALLENGE_SERVERS.test(valueOf(response, 'server') ?? ''));
}

/** Of a page itself, not of what it asks for: there are servers that say 403 for what is not there. */
function isPageRefused(request: RawHeaders, status: number): boolean {
  return REFUSALS.has(status) && valueOf(request, 'sec-fetch-dest') === 'document';
}
