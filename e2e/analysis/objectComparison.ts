import type { AnsweredRequest } from './analyse.ts';
import { isSuccess } from './responses.ts';

export interface ObjectDifferences {
  /** Canonical URLs that every stock run of the page got and this load did not. */
  readonly lost: readonly string[];
  /**
   * URLs answered more often than once, over http: and https: together, and more often than in any stock run; as they
   * were asked for first.
   */
  readonly fetchedTwice: readonly string[];
}

/**
 * What a load lost and what it fetched twice, against the stock runs of its page. What stock itself gets only sometimes (advertising)
 * or fetches several times is not held against anyone.
 */
export function objectDifferences(load: readonly AnsweredRequest[], stockRuns: readonly (readonly AnsweredRequest[])[]): ObjectDifferences {
  const [firstStock, ...otherStock] = stockRuns.map(wholeObjects);
  const always = [...(firstStock ?? [])].filter((url) => otherStock.every((run) => run.has(url)));
  const here = wholeObjects(load);
  const stockCounts = stockRuns.map(answersByAddress);
  const fetchedTwice = [...answersByAddress(load)].filter(([address, urls]) => urls.length > 1 && stockCounts.every((stock) => (stock.get(address)?.length ?? 0) < urls.length));
  return { lost: always.filter((url) => !here.has(url)), fetchedTwice: fetchedTwice.map(([, [url = '']]) => url) };
}

function wholeObjects(answered: readonly AnsweredRequest[]): Set<string> {
  return new Set(answered.filter(({ status, whole }) => isSuccess(status) && whole).map(({ canonicalUrl }) => canonicalUrl));
}

/** Successful answers by host, path and query: an object fetched in clear and again over TLS was fetched twice. */
function answersByAddress(answered: readonly AnsweredRequest[]): Map<string, string[]> {
  return Map.groupBy(answered.filter(({ status }) => isSuccess(status)).map(({ url }) => url), (url) => url.replace(/^https?:/, ''));
}
