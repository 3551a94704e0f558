import { LRUCache } from 'lru-cache';
import { valueOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf } from '../../../shared/src/node/http/requestFields.ts';

interface Asked {
  /** Of the last request that carried what the browser has; undefined where that is not known. */
  readonly cookie: string | null | undefined;
  /** When that was, or when an answer has set others since. */
  readonly cookieMs: number;
  /** Sec-Fetch-Site, which only the browser's list of public suffixes tells; null where the last request had none. */
  readonly site: string | null;
}

/** A request of the browser. */
export interface AskedObject {
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly headers: RawHeaders;
}

const MAX_ORIGINS = 5_000;
const UNTOLD = { cookie: undefined, cookieMs: -Infinity } as const;

/** Browsers ask every origin for it by themselves, so cookies of its pages' paths (RFC 6265, section 5.1.4) do not go with it. */
const ICON_PATH = '/favicon.ico';

/**
 * Whether a request of the browser tells which cookies objects of pages of this origin go with. One by CORS may have been
 * made without credentials, which nothing in it tells.
 */
export function tellsCookies(path: string, headers: RawHeaders): boolean {
  return path !== ICON_PATH && valuesOf(headers, 'origin').length === 0;
}

/**
 * Which origins the browser has asked by itself, for which pages, since this helper was started. Foresight asks a third
 * party only after the browser has: so it never asks what a blocker or Local Network Access stops, and never in clear
 * what the browser turns into https:, by whatever it knows (HSTS learnt or preloaded, HTTPS records, settings). The
 * last word counts: a host that turns out to be upgraded is asked in clear no more until the browser does so again.
 */
export class AskedOrigins {
  /** By partition and origin. */
  private readonly asked = new LRUCache<string, Asked>({ max: MAX_ORIGINS });
  /** Hosts that are asked by https: only, and whether so are those below them. */
  private readonly upgrades = new LRUCache<string, boolean>({ max: MAX_ORIGINS });

  /** The browser asks for an object. @param partition origin of what names it */
  note(partition: string, { origin, path, headers }: AskedObject, nowMs: number): void {
    const key = `${partition} ${origin}`;
    if (origin.startsWith('http:')) this.upgrades.delete(new URL(origin).hostname);
    const { cookie, cookieMs } = tellsCookies(path, headers) ? { cookie: cookieOf(headers), cookieMs: nowMs } : this.asked.get(key) ?? UNTOLD;
    this.asked.set(key, { cookie, cookieMs, site: valueOf(headers, 'sec-fetch-site') });
  }

  has(partition: string, origin: string): boolean {
    return this.asked.has(`${partition} ${origin}`);
  }

  /**
   * The cookies that the browser has last sent there, since this time; null for none, undefined when that is not known.
   */
  cookie(partition: string, origin: string, sinceMs: number): string | null | undefined {
    const asked = this.asked.get(`${partition} ${origin}`);
    return asked === undefined || asked.cookieMs < sinceMs ? undefined : asked.cookie;
  }

  /** Whether an answer from there has set cookies since this time, and no request has told them. */
  isUnclear(partition: string, origin: string, sinceMs: number): boolean {
    const asked = this.asked.get(`${partition} ${origin}`);
    return asked !== undefined && asked.cookieMs >= sinceMs && asked.cookie === undefined;
  }

  /** How the browser has last called the relation of the two (Fetch Metadata, section 2.3); null when that is not known. */
  site(partition: string, origin: string): string | null {
    return this.asked.get(`${partition} ${origin}`)?.site ?? null;
  }

  /** An answer from there has set cookies. */
  cookiesSet(partition: string, origin: string, nowMs: number): void {
    const key = `${partition} ${origin}`;
    const asked = this.asked.get(key);
    if (asked !== undefined) this.asked.set(key, { ...asked, cookie: undefined, cookieMs: nowMs });
  }

  /** As if the browser had asked no origin for pages of this one; what it turns into https: stays known. */
  forget(partition: string): void {
    for (const key of [...this.asked.keys()]) if (key.startsWith(`${partition} `)) this.asked.delete(key);
  }

  /** Whether the browser would ask this origin by https:, as far as is known. */
  isUpgraded(origin: string): boolean {
    if (!origin.startsWith('http:')) return false;
    const labels = new URL(origin).hostname.split('.');
    return labels.some((_, place) => {
      const withSubdomains = this.upgrades.get(labels.slice(place).join('.'));
      return withSubdomains === true || (place === 0 && withSubdomains !== undefined);
    });
  }

  /** The browser asks this host by https: only (RFC 6797, section 8.3). */
  upgraded(host: string, withSubdomains: boolean): void {
    const before = this.upgrades.get(host);
    this.upgrades.set(host, withSubdomains);
    // most answers say so, and thousands of origins would be looked through for each: what was asked in clear since is asked so all the same
    if (before === withSubdomains) return;
    for (const key of [...this.asked.keys()]) {
      const origin = key.slice(key.indexOf(' ') + 1);
      if (!origin.startsWith('http:')) continue;
      const { hostname } = new URL(origin);
      if (hostname === host || (withSubdomains && hostname.endsWith(`.${host}`))) this.asked.delete(key);
    }
  }
}

/**
 * What a Strict-Transport-Security field that came over verified TLS says (RFC 6797, section 6.1).
 *
 * @param header the first one; others do not count (section 8.1)
 * @returns null for none, for one that is not valid, and for one that takes back what was said before
 */
export function parseStrictTransport(header: string | undefined): { readonly includesSubdomains: boolean } | null {
  const directives = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const [name = '', value = ''] = part.split(/=(.*)/s, 2).map((each) => each.trim());
    const key = name.toLowerCase();
    if (key !== '' && directives.has(key)) return null;
    directives.set(key, value.replace(/^"(.*)"$/s, '$1'));
  }
  const maxAge = directives.get('max-age') ?? '';
  return /^\d+$/.test(maxAge) && Number(maxAge) > 0 ? { includesSubdomains: directives.has('includesubdomains') } : null;
}
