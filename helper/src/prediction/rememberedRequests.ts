import { NEEDED_KINDS, type Expected, type ExpectedObject, type NeededKind, type SeenRequest, type ToldVisit } from '../../../shared/src/memory/neededObject.ts';
import { STOCK_CONNECTIONS_PER_SERVER } from '../../../shared/src/fetching/connectionBudget.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf } from '../../../shared/src/node/http/requestFields.ts';

const SITES = ['same-origin', 'same-site', 'cross-site'] as const;

/** What is remembered of the request for an object; the page may be its referrer. */
export function seenRequestOf(request: RawHeaders): SeenRequest {
  const site = valueOf(request, 'sec-fetch-site');
  return {
    referrer: valueOf(request, 'referer') ?? '',
    site: SITES.find((each) => each === site) ?? null,
    isCors: valueOf(request, 'origin') !== null || valueOf(request, 'sec-fetch-mode') === 'cors',
    hasCookies: cookieOf(request) !== null,
  };
}

/** As what an object is asked for (Fetch Metadata, section 2.1; in clear as far as `Accept` tells); null where that is not said. */
export function kindOf(request: RawHeaders): NeededKind | null {
  const accept = valueOf(request, 'accept') ?? '';
  const accepted = NEEDED_KINDS.find((kind) => accept.startsWith(kind === 'style' ? 'text/css' : `${kind}/`));
  const destination = valueOf(request, 'sec-fetch-dest') ?? accepted;
  return NEEDED_KINDS.find((kind) => kind === destination) ?? null;
}

/**
 * What was seen of a request, as of an object of this page.
 *
 * @returns null where another page has asked: of what may be in a private window nothing is kept
 */
export function asOfPage(request: SeenRequest, { url, objects }: ToldVisit): SeenRequest | null {
  if (isReferrer(request.referrer, url)) return { ...request, referrer: null };
  const isOfSheet = objects.some((object) => object.kind === 'style' && isReferrer(request.referrer, object.url));
  return request.referrer === '' || isOfSheet ? request : null;
}

/** Whose cache the request for an object of this page is for (`partitionOf`). */
export function partitionOfObject(pageUrl: string, { referrer }: SeenRequest): string {
  return originOf(referrer || pageUrl);
}

/**
 * Browsers name an address as the referrer to its own server, and its origin to others. Many a page gives itself an
 * address without the query that it was come to by.
 */
function isReferrer(referrer: string | null, url: string): boolean {
  return referrer !== null && (referrer === `${originOf(url)}/` || withoutQuery(referrer) === withoutQuery(url));
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/** What is remembered of a page, by when it is asked for. */
export interface Turns {
  /** Beside the document's own request. */
  readonly beside: readonly ExpectedObject[];
  /** When the document begins to come, before what it names. */
  readonly begun: readonly ExpectedObject[];
  /** When it has come. */
  readonly ended: readonly ExpectedObject[];
}

/**
 * The document first: beside it goes what the link has room for in the round trip that it leaves free, and when it
 * begins to come as much of the layout files; what it names by itself then goes before the rest. Of an HTTP/1.1 server
 * images leave as many of a browser's connections free as it is still to be asked for layout files: small as they are, a
 * style sheet would wait for them. Nothing of its own server goes before it when it is about to set the cookies that its
 * objects are asked for with.
 *
 * A relay keeps the order of all that comes by it: whatever it fetches goes beside the document's own request, and comes
 * behind it. What has to wait for cookies there and is named by the document is pushed with that.
 *
 * What the browser has takes no room. When the document has come it is looked at again: what it does not have after all,
 * it has shown by then.
 *
 * @param roomBytes that the link brings in a round trip
 * @param isRelayed whether a relay makes the requests to this server
 * @param isCached whether the browser is taken to have it
 */
export function inTurns({ objects, document }: Expected, origin: string, roomBytes: number, isRelayed: (server: string) => boolean, isCached: (object: ExpectedObject) => boolean): Turns {
  const [beside, begun, ended]: [ExpectedObject[], ExpectedObject[], ExpectedObject[]] = [[], [], []];
  let [early, soon] = [roomBytes - document.bytes, roomBytes];
  /** Connections that are taken, or will be, by origin. */
  const taken = new Map([[origin, 1]]);
  for (const object of [...objects].sort((a, b) => Number(a.kind === 'image') - Number(b.kind === 'image'))) {
    const [isImage, server] = [object.kind === 'image', originOf(object.url)];
    const waitsForCookies = document.setsCookies && server === origin;
    if (isCached(object)) ended.push(object);
    else if (isRelayed(server)) {
      if (!waitsForCookies) beside.push(object);
      else if (object.isNamed) ended.push(object);
      else begun.push(object);
    } else {
      const connections = taken.get(server) ?? 0;
      const isInTheWay = isImage && server.startsWith('http:') && connections >= STOCK_CONNECTIONS_PER_SERVER;
      const goesBeside = early >= object.bytes && !isInTheWay && !waitsForCookies;
      if (goesBeside || !isImage) taken.set(server, connections + 1);
      if (goesBeside) {
        early -= object.bytes;
        beside.push(object);
      } else if (soon > 0 && !isImage) {
        soon -= object.bytes;
        begun.push(object);
      } else ended.push(object);
    }
  }
  return { beside, begun, ended };
}
