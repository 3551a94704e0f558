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
  /** What the browser has named as its referrer, where that is known: of a font its style sheet; of everything else the page. */
  readonly referrer?: string | undefined;
}

/** What the first screen of a page needed. */
export interface FirstScreenNeeds {
  readonly objects: readonly NeededObject[];
  /** Of the servers that it needed, the page's own first. */
  readonly origins: readonly string[];
}

/** What a visit is expected to need. */
export interface Expected extends FirstScreenNeeds {
  /** Whether its document set cookies the last time: its objects are asked for with them. */
  readonly setsCookies: boolean;
}

export const NOTHING_EXPECTED: Expected = { objects: [], origins: [], setsCookies: false };

/** A visit as its page tells of it. */
export interface ToldVisit extends FirstScreenNeeds {
  readonly url: string;
  /** What the browser asked for, before redirects led to the page. */
  readonly asked: string;
}

/** A visit that is worth remembering. */
export interface Visit extends ToldVisit {
  /** Whether the page's document has set cookies. */
  readonly setsCookies: boolean;
}
