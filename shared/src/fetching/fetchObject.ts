/**
 * Priority classes of what a scheduler of connections fetches (NSF report, section VI): the gate's classes (`RankClass`), with layout files before them. Lower is sooner.
 */
export const FetchClass = { layout: 0, inView: 1, unplaced: 2, offScreen: 3, undisplayed: 4 } as const;
export type FetchClass = (typeof FetchClass)[keyof typeof FetchClass];

/** One object to fetch. */
export interface FetchObject {
  readonly id: number;
  /** The server: what a connection can be shared for. */
  readonly origin: string;
  readonly fetchClass: FetchClass;
  /** Order of discovery in its document, from 0. */
  readonly index: number;
  /** Expected size of the answer. */
  readonly bytes: number;
  /** The browser waits for it, with one of the few requests that it has at once; otherwise it is only foreseen. */
  readonly isAwaited: boolean;
  /** Of all else, scripts that are late in a page may have an image's class. */
  readonly isImage?: boolean;
  /** It may not be made twice, so that it is lost if its connection is (RFC 9110, section 9.2.2). */
  readonly isOnce?: boolean;
}

/**
 * A connection of HTTP/1.1 that had nothing to do for so long may be closing at its server: where servers do not say when,
 * the shortest time that is common is 5 s (lighttpd, uvicorn), and it began up to a round trip earlier than here. What may
 * not be made twice goes on no such one (ADR 62).
 */
export const MAYBE_CLOSING_MS = 4_000;

/** Total order of objects that are alike in class: as the document has them. */
export function inDocumentOrder(a: FetchObject, b: FetchObject): number {
  return a.index - b.index || a.id - b.id;
}

/**
 * Level of an object, lower is sooner: its class, and in it what the browser waits for before what is only foreseen, as that keeps one of the few requests that the browser has at once, and is what the browser itself
 * holds for the most urgent (style sheets that a sheet imports, before the scripts below). An image that the browser waits for although nothing is known of its place has passed the gate as one that may be in view.
 */
export function levelOf({ fetchClass, isAwaited }: Pick<FetchObject, 'fetchClass' | 'isAwaited'>): number {
  return isAwaited ? 2 * (fetchClass === FetchClass.unplaced ? FetchClass.inView : fetchClass) : 2 * fetchClass + 1;
}

const IN_DOCUMENT_ORDER: ReadonlySet<number> = new Set([
  levelOf({ fetchClass: FetchClass.layout, isAwaited: true }),
  levelOf({ fetchClass: FetchClass.layout, isAwaited: false }),
  levelOf({ fetchClass: FetchClass.unplaced, isAwaited: false }),
]);

/** Whether objects of a level go as their document has them: layout files, as a page runs and applies them so, and what is foreseen and of whose place no more is known than that. */
export function keepsDocumentOrder(level: number): boolean {
  return IN_DOCUMENT_ORDER.has(level);
}

/** Objects by level, the most urgent first; the order inside a level is kept. */
export function byLevel(objects: readonly FetchObject[]): FetchObject[][] {
  return [...Map.groupBy(objects, levelOf)].sort(([a], [b]) => a - b).map(([, members]) => members);
}

export function totalBytes(objects: readonly FetchObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}
