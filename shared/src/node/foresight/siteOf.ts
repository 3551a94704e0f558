import { getDomain } from 'tldts';

/** What one may register a name below, as browsers tell sites apart (HTML, "obtain a site"); a host without a name is its own. */
export function siteOf(origin: string): string {
  const { hostname } = new URL(origin);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}
