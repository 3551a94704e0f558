import { FetchClass, type FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import { valueOf, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** 3 is what a server takes for a request that says nothing (RFC 9218, section 4.1). */
const URGENCY: Readonly<Record<FetchClass, number>> = {
  [FetchClass.layout]: 1,
  [FetchClass.inView]: 2,
  [FetchClass.unplaced]: 3,
  [FetchClass.offScreen]: 5,
  [FetchClass.undisplayed]: 7,
};

/** What is larger comes behind what is smaller and needed, too (rats before elephants, NSF report, section VI): a bandwidth-delay product of a 3G link. */
const LARGE_BYTES = 32_000;

/**
 * An object's place in our order as a server understands it (RFC 9218), for HTTP/2, where what is asked for is out of our
 * hands. The browser's own word stays for layout files and for images of unknown place: it knows more of the kinds of the
 * first, and which of the second come first. Of what has a place, and of scripts that are late in a page that they make
 * (`Predictor.fetch`), ours counts. Images in view, and those off screen, come one after the other, so that the first is
 * whole first; those of unknown place share the connection (incremental, section 4.2) until it is known, as a small one
 * that turns out to be in view would else be behind all of a large one that does not.
 *
 * @param own what the browser says, or is expected to say; null for nothing
 */
export function priorityOf(headers: RawHeaders, { fetchClass, isAwaited, bytes }: Pick<FetchObject, 'fetchClass' | 'isAwaited' | 'bytes'>, own: string | null): string {
  const isOpen = fetchClass === FetchClass.layout || fetchClass === FetchClass.unplaced;
  // the browser has few requests at once: what it waits for makes room for what it finds next
  const isLater = (fetchClass === FetchClass.offScreen && !isAwaited) || (fetchClass === FetchClass.inView && bytes > LARGE_BYTES);
  if (own === null || !isOpen) return `u=${URGENCY[fetchClass] + (isLater ? 1 : 0)}${fetchClass === FetchClass.unplaced ? ', i' : ''}`;
  // a sheet that is for paper now is for the screen as soon as it has come (`media=print onload`), and names fonts: behind
  // the scripts of the page's end it would come last
  return valueOf(headers, 'sec-fetch-dest') === 'style' && !own.startsWith('u=0') ? `u=${URGENCY[FetchClass.layout]}` : own;
}

export function withPriority(headers: RawHeaders, priority: string): RawHeaders {
  return [...without(headers, 'priority'), 'priority', priority];
}
