import { pairsOf, valueOf, valuesOf } from '../../../shared/src/node/http/rawHeaders.ts';
import { NO_CORS } from '../../../shared/src/node/reading/elementFetches.ts';
import { referrerPolicyOf } from '../../../shared/src/node/foresight/foreseen.ts';
import { asksForHints } from '../../../shared/src/node/foresight/clientHints.ts';
import { isFirefox, ownCookie, type Navigation } from '../../../shared/src/node/foresight/predictedHeaders.ts';
import { refererFor } from '../../../shared/src/node/foresight/referrer.ts';
import { OWN_FIELDS } from '../../../shared/src/node/http/requestFields.ts';

/** A page that the browser has asked for, with what its answer says of the next one. */
export interface VisitedPage {
  readonly navigation: Navigation;
  /** When it was asked for, in milliseconds of a monotonic clock. */
  readonly startMs: number;
}

/** A link of a page to another page of the same origin. */
export interface FollowedLink {
  readonly url: string;
  /** URL of the page now, which its scripts may have changed. */
  readonly page: string;
  /** Of the link, or of the document's markup; null when neither has one. */
  readonly referrerPolicy: string | null;
}

/** What a browser says anew with each request, or with this one only. */
const OF_ONE_REQUEST: ReadonlySet<string> = new Set(['cookie', 'referer', 'sec-fetch-site', 'sec-fetch-user', 'cache-control', 'pragma', 'purpose', 'sec-purpose', ...OWN_FIELDS]);

/**
 * The request fields, end to end and in a browser's order, with which Chromium 156 and Firefox 153 ask for a page of the
 * same origin when a link of this page is clicked; recorded from both, and repeated in the tests. What is not of one
 * request alone is as in the page's own request.
 *
 * @param nowMs wall clock
 * @param seenCookie what the browser has last sent to this origin since the page was asked for; null for no cookies,
 * undefined when it has asked for nothing
 * @returns null when it can not be told what the browser will send
 */
export function navigationHeaders({ navigation }: VisitedPage, { url, page, referrerPolicy }: FollowedLink, nowMs: number, seenCookie: string | null | undefined): string[] | null {
  const { request, answer } = navigation;
  const [destination, cacheControl] = [valueOf(request, 'sec-fetch-dest'), valueOf(request, 'cache-control')];
  // who has asked with a name and password, or past every cache, may go on to
  if (valuesOf(request, 'authorization').length > 0 || (cacheControl !== null && cacheControl !== 'max-age=0')) return null;
  if ((destination !== null && destination !== 'document') || asksForHints(request, answer, false)) return null;
  const cookie = ownCookie(navigation, { mode: NO_CORS }, nowMs, seenCookie);
  if (cookie === undefined) return null;
  const referer = refererFor(page, url, referrerPolicy ?? referrerPolicyOf(answer));
  const fields = pairsOf(request).filter(([name]) => !OF_ONE_REQUEST.has(name.toLowerCase()));
  const own: [string, string][] = referer === null ? [] : [['Referer', referer]];
  const cookies: [string, string][] = cookie === null ? [] : [['Cookie', cookie]];
  const metadata: [string, string][] = destination === null ? [] : [['Sec-Fetch-Site', 'same-origin'], ['Sec-Fetch-User', '?1']];
  if (isFirefox(request)) return insertAfter(insertBefore(fields, 'upgrade-insecure-requests', [...own, ...cookies]), 'sec-fetch-mode', metadata).flat();
  const [site, user] = [metadata.slice(0, 1), metadata.slice(1)];
  return insertBefore(insertBefore(insertAfter(insertBefore(fields, 'sec-fetch-mode', site), 'sec-fetch-mode', user), 'accept-encoding', own), 'priority', cookies).flat();
}

/** Before a field, or as the last ones where it is not there. */
function insertBefore(fields: readonly [string, string][], name: string, inserted: readonly [string, string][]): [string, string][] {
  const place = fields.findIndex(([each]) => each.toLowerCase() === name);
  return place < 0 ? [...fields, ...inserted] : [...fields.slice(0, place), ...inserted, ...fields.slice(place)];
}

function insertAfter(fields: readonly [string, string][], name: string, inserted: readonly [string, string][]): [string, string][] {
  const place = fields.findIndex(([each]) => each.toLowerCase() === name) + 1;
  return place === 0 ? [...fields] : [...fields.slice(0, place), ...inserted, ...fields.slice(place)];
}
