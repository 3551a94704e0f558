import type { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Account } from '../userDirectories.ts';
import { readAuthority, trustDirectory, type Authority } from './authority.ts';
import type { ExcludedHosts } from './excludedHosts.ts';
import { readExcludedHosts } from './readExcludedHosts.ts';
import { readServerAuthorities } from './serverAuthorities.ts';

/** What a user has had trusted. */
export interface Trust {
  readonly authority: Authority;
  readonly excluded: ExcludedHosts;
  /** Authorities of servers beside Mozilla's, PEM; null for none. */
  readonly serverAuthorities: string | null;
  /** E_EXCLUDED_HOSTS for each line of the user's list that is not used. */
  readonly warnings: readonly FirstscreenError[];
}

/** @returns null when the user has had nothing trusted. @throws FirstscreenError E_AUTHORITY, E_EXCLUDED_HOSTS */
export function readTrust(account: Account, now: Date): Trust | null {
  const authority = readAuthority(trustDirectory(account), now);
  return authority === null ? null : { authority, ...readExcludedHosts(account), serverAuthorities: readServerAuthorities(account) };
}
