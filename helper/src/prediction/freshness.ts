import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';

/** Statuses that may be kept without a word on for how long (RFC 9110, section 15.1). */
const HEURISTICALLY_CACHEABLE: ReadonlySet<number> = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
/** Of the time since an answer last changed (RFC 9111, section 4.2.2); browsers do so too. */
const HEURISTIC_SHARE = 0.1;
const MAX_AGE_SECONDS = 10 * 365 * 24 * 3600;

/** The directives of all Cache-Control fields (RFC 9111, section 5.2): names in lower case, values without quotes; of one that is there twice, the first. */
export function cacheDirectives(headers: RawHeaders): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of valuesOf(headers, 'cache-control').join(',').matchAll(/([^\s,;="]+)(?:\s*=\s*(?:"([^"]*)"|([^\s,;"]*)))?/g)) {
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted ?? token);
  }
  return directives;
}

/**
 * For how long a browser may use an answer that it gets now without asking again (RFC 9111, section 4.2; a private cache).
 *
 * @param nowMs wall clock: the date of an answer that has none
 * @returns milliseconds; 0 when it has to ask at once, null when it keeps nothing
 */
export function freshForMs(status: number, headers: RawHeaders, nowMs: number): number | null {
  const directives = cacheDirectives(headers);
  const varyNames = valuesOf(headers, 'vary').join(',');
  if (directives.has('no-store')) return null;
  const lifetimeSeconds = explicitLifetimeSeconds(directives, headers, nowMs) ?? (HEURISTICALLY_CACHEABLE.has(status) ? heuristicLifetimeSeconds(headers, nowMs) : null);
  if (lifetimeSeconds === null) return null;
  if (directives.has('no-cache') || varyNames.includes('*') || (directives.size === 0 && /\bno-cache\b/i.test(valueOf(headers, 'pragma') ?? ''))) return 0;
  const ageSeconds = seconds(valueOf(headers, 'age')) ?? 0;
  return Math.max(0, lifetimeSeconds - ageSeconds) * 1000;
}

/** What is not a number, or a date that is none, has passed already (RFC 9111, sections 4.2.1 and 5.3). */
function explicitLifetimeSeconds(directives: ReadonlyMap<string, string>, headers: RawHeaders, nowMs: number): number | null {
  const maxAge = directives.get('max-age');
  if (maxAge !== undefined) return seconds(maxAge) ?? 0;
  const [expires] = valuesOf(headers, 'expires');
  if (expires === undefined) return null;
  const lifetimeMs = Date.parse(expires) - dateOf(headers, nowMs);
  return Number.isNaN(lifetimeMs) ? 0 : clampSeconds(lifetimeMs / 1000);
}

function heuristicLifetimeSeconds(headers: RawHeaders, nowMs: number): number {
  const sinceMs = dateOf(headers, nowMs) - Date.parse(valueOf(headers, 'last-modified') ?? '');
  return Number.isNaN(sinceMs) ? 0 : clampSeconds((sinceMs * HEURISTIC_SHARE) / 1000);
}

function dateOf(headers: RawHeaders, nowMs: number): number {
  const dateMs = Date.parse(valueOf(headers, 'date') ?? '');
  return Number.isNaN(dateMs) ? nowMs : dateMs;
}

function seconds(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text.trim()) ? clampSeconds(Number(text)) : null;
}

function clampSeconds(value: number): number {
  return Math.min(Math.max(0, value), MAX_AGE_SECONDS);
}
