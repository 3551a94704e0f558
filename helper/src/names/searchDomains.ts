import { readOrNothing } from '../files.ts';

const RESOLVER_FILE = '/etc/resolv.conf';

/** Domains that the system looks short names up in: those of the network that the machine is in. */
export function searchDomains(): string[] {
  return parseSearchDomains(readOrNothing(RESOLVER_FILE));
}

/** By the text of a resolver's configuration (resolv.conf(5)): of `search` and `domain` the last line counts. */
export function parseSearchDomains(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  return domains;
}
