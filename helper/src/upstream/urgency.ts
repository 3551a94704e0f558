import { FetchClass, levelOf, type FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import { valueOf, without, type RawHeaders } from '../http/rawHeaders.ts';

/** By level (`levelOf`): from what is foreseen of the layout to what is not displayed; 3 is what a server takes for a request that says nothing. */
const URGENCIES = [0, 1, 2, 3, 3, 4, 5, 6, 7, 7];

/**
 * A request's fields with its place in our order as a server understands it (RFC 9218, section 4.1), for HTTP/2, where what is asked for is out of our hands. The browser's own word stays for layout files,
 * of whose kinds it knows more. Not incremental: of two images that are equally urgent the first one is to be whole first (rats before elephants).
 */
export function withUrgency(headers: RawHeaders, object: Pick<FetchObject, 'fetchClass' | 'isAwaited'>): RawHeaders {
  if (object.fetchClass === FetchClass.layout && (object.isAwaited || valueOf(headers, 'priority') !== null)) return headers;
  return [...without(headers, 'priority'), 'priority', `u=${URGENCIES[levelOf(object)]}`];
}
