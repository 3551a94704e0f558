import { FetchClass, type FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import { valueOf, without, type RawHeaders } from '../http/rawHeaders.ts';

/** 3 is what a server takes for a request that says nothing (RFC 9218, section 4.1). */
const URGENCY: Readonly<Record<FetchClass, number>> = {
  [FetchClass.layout]: 1,
  [FetchClass.inView]: 2,
  [FetchClass.unplaced]: 3,
  [FetchClass.offScreen]: 5,
  [FetchClass.undisplayed]: 7,
};

/** Nothing is painted before all of these are there, and text not before its font: Chromium's own urgency for both. */
const BEFORE_PAINT = { destinations: new Set(['style', 'font']), urgency: 0 };

/**
 * A request's fields with its place in our order as a server understands it (RFC 9218), for HTTP/2, where what is asked
 * for is out of our hands. The browser's own word stays for what has no place in the layout: it knows more of the kinds
 * of layout files, and which images come first. A foreseen request has none, and would be behind images without ours.
 * Images in view, and those off screen, come one after the other, so that the first is whole first; those of unknown
 * place share the connection (incremental, section 4.2) until it is known, as a small one that turns out to be in view
 * would else be behind all of a large one that does not.
 */
export function withUrgency(headers: RawHeaders, { fetchClass }: Pick<FetchObject, 'fetchClass'>): RawHeaders {
  if (!hasPlace(fetchClass) && valueOf(headers, 'priority') !== null) return headers;
  const isBeforePaint = fetchClass === FetchClass.layout && BEFORE_PAINT.destinations.has(valueOf(headers, 'sec-fetch-dest') ?? '');
  const urgency = isBeforePaint ? BEFORE_PAINT.urgency : URGENCY[fetchClass];
  return [...without(headers, 'priority'), 'priority', `u=${urgency}${fetchClass === FetchClass.unplaced ? ', i' : ''}`];
}

/** What a server is told of a request that has left, when its place is known; null while it is not. */
export function laterPriority({ fetchClass }: Pick<FetchObject, 'fetchClass'>): string | null {
  return hasPlace(fetchClass) ? `u=${URGENCY[fetchClass]}` : null;
}

function hasPlace(fetchClass: FetchClass): boolean {
  return fetchClass !== FetchClass.layout && fetchClass !== FetchClass.unplaced;
}
