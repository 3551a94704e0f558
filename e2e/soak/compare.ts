import { SITE_DEPENDENTS } from './site.ts';

/** What there is to see of a load. */
export interface Observed {
  /** What the page's own script has told, or why it has not. */
  readonly page: unknown;
  /** Method, scheme and object of each request that a server got. */
  readonly requests: readonly Asked[];
}

export interface Asked {
  readonly how: string;
  /** Kind of host and path; elements of the page have it as their id. */
  readonly object: string;
}

/** What is not held against a load. */
export interface Excuses {
  /** Objects that may be missing; nobody may ask for them twice all the same. */
  readonly lost: readonly string[];
  /** Objects that may be asked for once more. */
  readonly repeated: readonly string[];
}

interface Told {
  readonly notes: Readonly<Record<string, unknown>>;
  readonly images: Readonly<Record<string, unknown>>;
  readonly resources: Readonly<Record<string, unknown>>;
  readonly title: string;
}

/** Of the page as a whole. */
const DOCUMENT = 'own/';

/** Objects whose elements have heard that they failed. */
export function failedOf(page: unknown): string[] {
  const notes = typeof page === 'object' && page !== null ? (page as Told).notes : {};
  return Object.entries(notes).filter(([, events]) => JSON.stringify(events) === '["error"]').map(([element]) => objectOf(element));
}

/** What differs from the stock browser's load: objects lost or fetched twice, and what the page saw. */
export function violationsOf(stock: Observed, seen: Observed, { lost, repeated }: Excuses): string[] {
  const mayMiss = new Set(lost.flatMap((object) => [object, ...(SITE_DEPENDENTS[object] ?? [])]));
  const isExcused = (object: string): boolean => mayMiss.has(object) || mayMiss.has(DOCUMENT);
  const [expectedTimes, gotTimes] = [timesOf(stock), timesOf(seen)];
  const counts = namesOf(expectedTimes, gotTimes).flatMap((name) => {
    const { object, times: expected } = expectedTimes.get(name) ?? { object: DOCUMENT, times: 0 };
    const got = gotTimes.get(name)?.times ?? 0;
    return got === expected || (got < expected && isExcused(object)) || (repeated.includes(object) && got === expected + 1) ? [] : [`${name}: asked for ${got} times instead of ${expected}`];
  });
  const [expectedFacts, gotFacts] = [factsOf(stock), factsOf(seen)];
  const facts = namesOf(expectedFacts, gotFacts).flatMap((name) => {
    const [expected, got] = [expectedFacts.get(name), gotFacts.get(name)];
    const object = expected?.object ?? got?.object ?? DOCUMENT;
    return expected?.fact === got?.fact || isExcused(object) ? [] : [`${name}: the page saw ${got?.fact ?? 'nothing'} instead of ${expected?.fact ?? 'nothing'}`];
  });
  return [...counts, ...facts];
}

function namesOf(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort();
}

function timesOf({ requests }: Observed): Map<string, { object: string; times: number }> {
  const times = new Map<string, { object: string; times: number }>();
  for (const { how, object } of requests) {
    const name = `${how} ${object}`;
    times.set(name, { object, times: (times.get(name)?.times ?? 0) + 1 });
  }
  return times;
}

function factsOf({ page }: Observed): Map<string, { object: string; fact: string }> {
  const entries = typeof page === 'object' && page !== null ? told(page as Told) : [[DOCUMENT, 'page', page] as const];
  return new Map(entries.map(([object, what, fact]) => [`${object} (${what})`, { object, fact: JSON.stringify(fact) }]));
}

function told({ notes, images, resources, title }: Told): (readonly [object: string, what: string, fact: unknown])[] {
  const of = (facts: Readonly<Record<string, unknown>>, what: string): [string, string, unknown][] => Object.entries(facts).map(([name, fact]) => {
    const object = objectOf(name);
    return object.includes('/') ? [object, what, fact] : [DOCUMENT, `${what} ${name}`, fact];
  });
  return [...of(notes, 'event'), ...of(images, 'image'), ...of(resources, 'resource'), [DOCUMENT, 'title', title]];
}

/** Events are noted under the id of their element, in angle brackets. */
function objectOf(topic: string): string {
  return topic.replace(/^<(.*)>$/, '$1');
}
