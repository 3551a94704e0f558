import CachePolicy from 'http-cache-semantics';
import { combinedFields, valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { RequestHead } from '../requests/requestHead.ts';

/** An answer that is the same for everybody, and where it was asked for: work for one user serves others there, and nowhere else, as in browsers' own caches. */
export interface PublicAnswer {
  /** Origin of the page that asked. */
  readonly page: string;
  /** Of the server. */
  readonly origin: string;
}

/** What makes a request that of one user (RFC 9111, section 3.5; cookies have no rule there). */
const OF_A_USER = ['cookie', 'authorization'] as const;

/**
 * Whether work for this answer may serve other users: nothing in the request says who asked, and the server has said for how long any cache may keep the answer (RFC 9111, section 3). What is
 * merely likely to be public is not.
 *
 * @returns null where it may not, or nobody knows of which page it is
 */
export function publicAnswer({ method, origin, fields }: Pick<RequestHead, 'method' | 'origin' | 'fields'>, status: number, answer: RawHeaders): PublicAnswer | null {
  const page = originOf(valueOf(fields, 'referer'));
  const [asked, answered] = [combinedFields(fields), combinedFields(answer)];
  if (page === null || method !== 'GET' || OF_A_USER.some((name) => name in asked) || 'set-cookie' in answered) return null;
  const policy = new CachePolicy({ method, headers: asked }, { status, headers: answered }, { shared: true, cacheHeuristic: 0, immutableMinTimeToLive: 0 });
  return policy.storable() && policy.maxAge() > 0 ? { page, origin } : null;
}

function originOf(referrer: string | null): string | null {
  if (referrer === null || !URL.canParse(referrer)) return null;
  const { protocol, origin } = new URL(referrer);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}
