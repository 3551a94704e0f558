import type { AnsweredRequest } from './analyse.ts';
import { isSuccess } from './responses.ts';

export interface ObjectDifferences {
  /** Canonical URLs that every stock run of the page got and this load did not. */
  readonly lost: readonly string[];
  /** Exact URLs answered more often than once, and more often than in any stock run. */
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
  const stockCounts = stockRuns.map(answerCounts);
  const fetchedTwice = [...answerCounts(load)].filter(([url, count]) => count > 1 && stockCounts.every((counts) => (counts.get(url) ?? 0) < count));
  return { lost: always.filter((url) => !here.has(url)), fetchedTwice: fetchedTwice.map(([url]) => url) };
}

function wholeObjects(answered: readonly AnsweredRequest[]): Set<string> {
  return new Set(answered.filter(({ status, whole }) => isSuccess(status) && whole).map(({ canonicalUrl }) => canonicalUrl));
}

function answerCounts(answered: readonly AnsweredRequest[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { url, status } of answered) if (isSuccess(status)) counts.set(url, (counts.get(url) ?? 0) + 1);
  return counts;
}
