import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import { WRITE_BITS_OF_OTHERS, readIfPresent } from '../files.ts';
import { ownDirectory, type Account } from '../userDirectories.ts';
import { readAuthority, trustDirectory, type Authority } from './authority.ts';
import { readExcludedHosts } from './excludedHosts.ts';

/** What a user has had trusted. */
export interface Trust {
  readonly authority: Authority;
  /** Whether a host is never intercepted. */
  readonly isExcluded: (host: string) => boolean;
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

/**
 * Authorities of servers that a user trusts beside Mozilla's list, as a company's own: PEM, written by the user.
 * @returns null without a file that is the user's alone to write
 */
export function readServerAuthorities(account: Account): string | null {
  const path = join(ownDirectory('CONFIG', account), 'server-authorities.pem');
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.uid !== process.getuid?.() || (stats.mode & WRITE_BITS_OF_OTHERS) !== 0) return null;
  return readIfPresent(path);
}
