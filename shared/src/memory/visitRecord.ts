import { MAX_ADDRESSES, MAX_NEEDED_OBJECTS, NEEDED_KINDS, UNSEEN_DOCUMENT, type Expected, type HostAddress, type NeededKind, type SeenDocument, type SeenObject, type Visit } from './neededObject.ts';

interface Remembered extends SeenObject {
  /** Mean of "needed" (1) and "not needed" (0) over the visits, the latest half of it. */
  readonly score: number;
}

const LATEST_WEIGHT = 1 / 2;
/** Below, an object is rather not needed again. */
const MIN_SCORE = 1 / 2;
/** Below, it is forgotten: it was not needed in the last three visits. */
const FORGOTTEN_SCORE = 1 / 8;
/**
 * So much of what was new at a visit must have been needed again at the next for what is new now to be expected: some
 * sites change every picture each time.
 */
const MIN_TRUST = 1 / 2;

/** What visits to a page, or to pages of a template, have needed. Immutable. */
export interface VisitRecord {
  readonly visits: number;
  /** Of the last one: days since 1970, wall clock. */
  readonly day: number;
  readonly objects: readonly Remembered[];
  /** Of the servers that the last one needed. */
  readonly origins: readonly string[];
  /** Of the last one of which it has come. */
  readonly document: SeenDocument;
  /** By which its servers were reached last, the latest at the end. */
  readonly addresses: readonly HostAddress[];
  /** Share of what was new at one visit that was needed at the next, by kind; 1 before that is known. */
  readonly trust: Readonly<Record<NeededKind, number>>;
}

/** What a record keeps of a visit. */
export type Learnt = Pick<Visit, 'objects' | 'origins' | 'document' | 'addresses'>;

export const NO_VISITS: VisitRecord = { visits: 0, day: 0, objects: [], origins: [], document: UNSEEN_DOCUMENT, addresses: [], trust: { style: 1, script: 1, font: 1, image: 1 } };

/** The record after one more visit. @param day of it, since 1970 */
export function afterVisit(record: VisitRecord, { objects: needed, origins, document, addresses }: Learnt, day: number): VisitRecord {
  const now = new Map(needed.map((object) => [object.url, object]));
  const known = new Set(record.objects.map(({ url }) => url));
  const isFirst = record.visits === 0;
  const kept = record.objects.flatMap((object): Remembered[] => {
    const again = now.get(object.url);
    const score = towards(object.score, again === undefined ? 0 : 1);
    return score < FORGOTTEN_SCORE ? [] : [{ ...object, ...again, score }];
  });
  const added = needed.filter(({ url }) => !known.has(url)).map((object): Remembered => ({ ...object, score: isFirst ? 1 : towards(0, 1) }));
  return {
    visits: record.visits + 1,
    day,
    origins,
    document: document ?? record.document,
    addresses: [...record.addresses.filter(({ host }) => !addresses.some((latest) => latest.host === host)), ...addresses].slice(-MAX_ADDRESSES),
    objects: [...kept, ...added].sort((a, b) => b.score - a.score).slice(0, MAX_NEEDED_OBJECTS),
    trust: isFirst ? record.trust : trustAfter(record, now),
  };
}

/** What the next visit is expected to need, the surest first. */
export function expectedOf({ objects, origins, document, trust }: VisitRecord): Expected {
  const sure = objects.filter(({ kind, score }) => score > MIN_SCORE || (score === MIN_SCORE && trust[kind] >= MIN_TRUST));
  return { objects: sure.map(({ score, ...object }) => ({ ...object, isCertain: score === 1 })), origins, document };
}

function trustAfter(record: VisitRecord, now: ReadonlyMap<string, unknown>): VisitRecord['trust'] {
  const wereNew = record.objects.filter(({ score }) => score === MIN_SCORE || record.visits === 1);
  const trust = { ...record.trust };
  for (const kind of NEEDED_KINDS) {
    const ofKind = wereNew.filter((object) => object.kind === kind);
    if (ofKind.length > 0) trust[kind] = towards(trust[kind], ofKind.filter(({ url }) => now.has(url)).length / ofKind.length);
  }
  return trust;
}

function towards(mean: number, value: number): number {
  return mean + (value - mean) * LATEST_WEIGHT;
}
