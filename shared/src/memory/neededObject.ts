import type { ReferrerPolicy } from '../page/referrerPolicy.ts';
import type { CachedUntil } from './cachedUntil.ts';

/** What of a page the first screen can need, by how it is asked for. */
export const NEEDED_KINDS = ['style', 'script', 'font', 'image'] as const;
export type NeededKind = (typeof NEEDED_KINDS)[number];

/** Of one page. */
export const MAX_NEEDED_OBJECTS = 200;
/** Names and handshakes of so many servers take some 5 kB of a link that the document itself has to come by. */
export const MAX_NEEDED_ORIGINS = 12;

/** Of one page: of those servers, its own, and the one that redirected to it. */
export const MAX_ADDRESSES = MAX_NEEDED_ORIGINS + 2;

/** Of one page that is measured: these, its document and its fonts. */
export const MAX_TIMED_OBJECTS = 2 * MAX_NEEDED_OBJECTS;
/** What is longer is made for one visit. */
export const MAX_NEEDED_URL_CHARS = 2048;

/** An object that the first screen of a page needed, as its page can tell. */
export interface NeededObject {
  readonly url: string;
  readonly kind: NeededKind;
}

/** What the first screen of a page needed, as the page can tell. */
export interface FirstScreenNeeds {
  readonly objects: readonly NeededObject[];
  /** Of the servers that it needed, the page's own first. */
  readonly origins: readonly string[];
}

/** A visit as its page tells of it. */
export interface ToldVisit extends FirstScreenNeeds {
  readonly url: string;
  /** What the browser asked for, before redirects led to the page. */
  readonly asked: string;
}

/** How a browser has asked for an object. */
export interface SeenRequest {
  /** Its referrer where that was not the page but a style sheet, or empty for none; null for the page. */
  readonly referrer: string | null;
  /** Sec-Fetch-Site (Fetch Metadata, section 2.3), which only a browser's list of public suffixes tells; null for none. */
  readonly site: 'same-origin' | 'same-site' | 'cross-site' | null;
  /** Whether as a CORS request (Fetch, "CORS protocol"). */
  readonly isCors: boolean;
  readonly hasCookies: boolean;
}

/** An object that was needed, and how it was asked for and came. */
export interface SeenObject extends NeededObject {
  /** Of its body as it was sent. */
  readonly bytes: number;
  readonly request: SeenRequest;
  /** Until when the browser has it; null for less than a day, or not at all. */
  readonly cached: CachedUntil | null;
  /** Whether the page's document itself named it, and no style sheet or script alone. */
  readonly isNamed: boolean;
}

/** The document of a page as it came the last time. */
export interface SeenDocument {
  /** Of its body as it was sent, 0 when that is not known. */
  readonly bytes: number;
  /** Whether it set cookies: its objects are asked for with them. */
  readonly setsCookies: boolean;
  /** Of its answer; null for the default. */
  readonly referrerPolicy: ReferrerPolicy | null;
}

/** By which address a server was reached last. */
export interface HostAddress {
  /** Its name, as in a URL. */
  readonly host: string;
  readonly address: string;
}

/** All that a page has needed, expected or not; of an object what comes later counts. */
export interface Known {
  readonly objects: readonly SeenObject[];
  readonly origins: readonly string[];
}

/** A visit that is worth remembering: of objects and servers what was seen to be asked for, now or before. */
export interface Visit extends ToldVisit {
  readonly objects: readonly SeenObject[];
  /** null where it has not come, as the browser had it. */
  readonly document: SeenDocument | null;
  /** Of its servers, as far as they are known. */
  readonly addresses: readonly HostAddress[];
}

export interface ExpectedObject extends SeenObject {
  /** Whether every earlier visit has needed it. */
  readonly isCertain: boolean;
}

/** What a visit is expected to need. */
export interface Expected {
  readonly objects: readonly ExpectedObject[];
  readonly origins: readonly string[];
  readonly document: SeenDocument;
}

export const UNSEEN_DOCUMENT: SeenDocument = { bytes: 0, setsCookies: false, referrerPolicy: null };
export const NOTHING_EXPECTED: Expected = { objects: [], origins: [], document: UNSEEN_DOCUMENT };
