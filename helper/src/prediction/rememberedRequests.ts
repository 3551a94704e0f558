import type { Expected, ExpectedObject, SeenRequest } from '../../../shared/src/memory/neededObject.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import { valueOf, type RawHeaders } from '../http/rawHeaders.ts';
import { cookieOf } from './requestMatch.ts';

const SITES = ['same-origin', 'same-site', 'cross-site'] as const;

/** What is remembered of the request for an object. */
export function seenRequestOf(request: RawHeaders): SeenRequest {
  const site = valueOf(request, 'sec-fetch-site');
  return {
    referrer: valueOf(request, 'sec-fetch-dest') === 'font' ? valueOf(request, 'referer') : null,
    site: SITES.find((each) => each === site) ?? null,
    isCors: valueOf(request, 'origin') !== null || valueOf(request, 'sec-fetch-mode') === 'cors',
    hasCookies: cookieOf(request) !== null,
  };
}

/**
 * What is asked for beside a document's own request, and what when the document has begun to come: as much as the link
 * has room for in the round trip that the document leaves free; and nothing of the document's own server when it is
 * about to set the cookies that its objects are asked for with.
 *
 * @param roomBytes that the link brings in a round trip
 */
export function parted({ objects, document }: Expected, origin: string, roomBytes: number): { readonly beside: readonly ExpectedObject[]; readonly after: readonly ExpectedObject[] } {
  const [beside, after]: [ExpectedObject[], ExpectedObject[]] = [[], []];
  let room = roomBytes - document.bytes;
  for (const object of objects) {
    const isEarly = room >= object.bytes && !(document.setsCookies && originOf(object.url) === origin);
    if (isEarly) room -= object.bytes;
    (isEarly ? beside : after).push(object);
  }
  return { beside, after };
}
