import { hostOfUrl } from '../urls/hostOfUrl.ts';
import { storedHistory } from './history.ts';
import { hostOf, storedMeasured } from './measuredPages.ts';

/** Forgets how long first screens of these hosts took, of visits and of pages that were measured; with null of all. */
export async function forgetTimes(hosts: ReadonlySet<string> | null): Promise<void> {
  await Promise.all([
    storedHistory.change((history) => (hosts === null ? [] : history.filter(({ host }) => !hosts.has(host)))),
    storedMeasured.change((pages) => (hosts === null ? [] : pages.filter((page) => !hosts.has(hostOf(page))))),
  ]);
}

/** The browser has erased these pages from its history, or with null all: of their hosts nothing is known any more. */
export function forgetTimesOf(urls: readonly string[] | null): Promise<void> {
  return forgetTimes(urls && new Set(urls.map(hostOfUrl)));
}
