/** One side's view of requests, to be paired with the other side's. */
export interface Side<T> {
  readonly all: readonly T[];
  readonly urlOf: (item: T) => string;
  /** Total, so that the pairs do not hang on the order in which items were heard of. */
  readonly compare: (a: T, b: T) => number;
}

/**
 * Pairs the requests that two sides have seen: those for the same URL, of several for one URL the first with the first.
 * Each is in one pair at most.
 *
 * @param mayBeOne whether two requests for the same URL can be one
 */
export function pairInOrder<A, B>(left: Side<A>, right: Side<B>, mayBeOne: (a: A, b: B) => boolean = () => true): Map<A, B> {
  const rightOf = Map.groupBy(right.all.toSorted(right.compare), right.urlOf);
  const pairs = new Map<A, B>();
  for (const item of left.all.toSorted(left.compare)) {
    const others = rightOf.get(left.urlOf(item)) ?? [];
    const place = others.findIndex((other) => mayBeOne(item, other));
    const [other] = place < 0 ? [] : others.splice(place, 1);
    if (other !== undefined) pairs.set(item, other);
  }
  return pairs;
}
