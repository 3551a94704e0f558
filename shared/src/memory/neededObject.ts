/** What of a page the first screen can need, by how it is asked for. */
export const NEEDED_KINDS = ['style', 'script', 'font', 'image'] as const;
export type NeededKind = (typeof NEEDED_KINDS)[number];

/** Of one page. */
export const MAX_NEEDED_OBJECTS = 200;
/** What is longer is made for one visit. */
export const MAX_NEEDED_URL_CHARS = 2048;

/** Names and handshakes of so many servers take some 5 kB of a link that the document itself has to come by. */
export const MAX_NEEDED_ORIGINS = 12;

/** An object that the first screen of a page needed. */
export interface NeededObject {
  readonly url: string;
  readonly kind: NeededKind;
  /** Of its body as it was sent, 0 when that is not known. */
  readonly bytes: number;
  /** Of the last request that a browser made for it; absent where that was not seen. */
  readonly request?: NeededRequest | undefined;
}

/** How a browser has asked for an object. */
export interface NeededRequest {
  /** Its referrer where that was not the page but, for a font, a style sheet; null for the page. */
  readonly referrer: string | null;
  /** Sec-Fetch-Site (Fetch Metadata, section 2.3), which only a browser's list of public suffixes tells; null for none. */
  readonly site: 'same-origin' | 'same-site' | 'cross-site' | null;
  readonly hasCookies: boolean;
}

/** What the first screen of a page needed. */
export interface FirstScreenNeeds {
  readonly objects: readonly NeededObject[];
  /** Of the servers that it needed, the page's own first. */
  readonly origins: readonly string[];
}

/** What a visit is expected to need. */
export interface Expected extends FirstScreenNeeds {
  readonly objects: readonly ExpectedObject[];
  readonly document: SeenDocument;
}

export interface ExpectedObject extends NeededObject {
  /** Whether every earlier visit has needed it. */
  readonly isCertain: boolean;
}

/** The document of a page as it came the last time. */
export interface SeenDocument {
  /** Of its body as it was sent, 0 when that is not known. */
  readonly bytes: number;
  /** Whether it set cookies: its objects are asked for with them. */
  readonly setsCookies: boolean;
}

export const UNSEEN_DOCUMENT: SeenDocument = { bytes: 0, setsCookies: false };
export const NOTHING_EXPECTED: Expected = { objects: [], origins: [], document: UNSEEN_DOCUMENT };

/** A visit as its page tells of it. */
export interface ToldVisit extends FirstScreenNeeds {
  readonly url: string;
  /** What the browser asked for, before redirects led to the page. */
  readonly asked: string;
}

/** A visit that is worth remembering. */
export interface Visit extends ToldVisit {
  readonly document: SeenDocument;
}
