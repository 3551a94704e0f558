/** Domains that a resolver looks short names up in, by the text of its configuration (resolv.conf(5)): of `search` and `domain` the last line counts. */
export function parseSearchDomains(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const [, ...domains] = lines.findLast(([word]) => word === 'search' || word === 'domain') ?? [];
  return domains;
}
