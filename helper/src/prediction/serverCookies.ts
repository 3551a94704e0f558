import { LRUCache } from 'lru-cache';
import { cookieName } from '../../../shared/src/node/foresight/predictedCookies.ts';
import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';
import { valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

const MAX_NAMES = 10_000;

/**
 * Names of the cookies that servers of a site have set since this helper was started: their answers may depend on these,
 * as on who is signed in. A cookie that changes without having been set by an answer was changed by a script.
 */
export class ServerCookies {
  /** By site and name. */
  private readonly names = new LRUCache<string, true>({ max: MAX_NAMES });

  /** An answer of this origin has come. */
  answered(origin: string, response: RawHeaders): void {
    for (const setCookie of valuesOf(response, 'set-cookie')) this.names.set(keyOf(origin, cookieName(setCookie)), true);
  }

  /** Whether a server of this origin's site has set a cookie of this name. */
  has(origin: string, name: string): boolean {
    return this.names.has(keyOf(origin, name));
  }
}

function keyOf(origin: string, name: string): string {
  return `${siteOf(origin)} ${name}`;
}
