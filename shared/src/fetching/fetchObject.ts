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
}

/** Total order of objects that are alike in class: as the document has them. */
export function inDocumentOrder(a: FetchObject, b: FetchObject): number {
  return a.index - b.index || a.id - b.id;
}

/** Objects by class, the most urgent first; the order inside a class is kept. */
export function byClass(objects: readonly FetchObject[]): FetchObject[][] {
  const classes = new Map<FetchClass, FetchObject[]>();
  for (const object of objects) {
    const others = classes.get(object.fetchClass);
    if (others === undefined) classes.set(object.fetchClass, [object]);
    else others.push(object);
  }
  return [...classes].sort(([a], [b]) => a - b).map(([, members]) => members);
}

export function totalBytes(objects: readonly FetchObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}
