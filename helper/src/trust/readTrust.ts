import { X509Certificate } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { WRITE_BITS_OF_OTHERS, readIfPresent } from '../files.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
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
  /** E_EXCLUDED_HOSTS for each line of the user's list that is not used, E_SERVER_AUTHORITIES for a file that is not. */
  readonly warnings: readonly FirstscreenError[];
}

/** @returns null when the user has had nothing trusted. @throws FirstscreenError E_AUTHORITY, E_EXCLUDED_HOSTS */
export function readTrust(account: Account, now: Date): Trust | null {
  const authority = readAuthority(trustDirectory(account), now);
  if (authority === null) return null;
  const { warnings, isExcluded } = readExcludedHosts(account);
  const servers = readServerAuthorities(account);
  return { authority, isExcluded, serverAuthorities: servers.pem, warnings: [...warnings, ...servers.warnings] };
}

/**
 * Authorities of servers that a user trusts beside Mozilla's list, as a company's own: PEM, written by the user.
 *
 * @returns null without a file; with a warning (E_SERVER_AUTHORITIES) also for one that is not the user's alone to write
 */
export function readServerAuthorities(account: Account): { readonly pem: string | null; readonly warnings: readonly FirstscreenError[] } {
  const path = join(ownDirectory('CONFIG', account), 'server-authorities.pem');
  const refused = (why: string, cause?: unknown): ReturnType<typeof readServerAuthorities> => ({
    pem: null,
    warnings: [new FirstscreenError('E_SERVER_AUTHORITIES', `${path} is not used: ${why}.`, 'Make it a plain file of yours (chmod 600) with certificates in PEM; until then servers need an authority of Mozilla\'s list.', { cause })],
  });
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return { pem: null, warnings: [] };
  if (!stats.isFile()) return refused('it is no plain file');
  if (stats.uid !== process.getuid?.()) return refused('it belongs to somebody else');
  if ((stats.mode & WRITE_BITS_OF_OTHERS) !== 0) return refused('others may write it');
  let pem: string;
  try {
    pem = readIfPresent(path) ?? '';
  } catch (cause) {
    return refused(`it can not be read (${reasonOf(cause)})`, cause);
  }
  return holdsCertificates(pem) ? { pem, warnings: [] } : refused('it holds no certificate in PEM, or one that is broken');
}

/** TLS would take what it understands of a file, and say nothing of the rest. */
function holdsCertificates(pem: string): boolean {
  const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const certificate of found) new X509Certificate(certificate);
  } catch {
    return false;
  }
  return found.length > 0 && found.length === pem.split('-----BEGIN').length - 1;
}
