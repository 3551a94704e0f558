import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readIfPresent } from '../files.ts';
import { userConfigDirectory, type Account } from '../userDirectories.ts';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Authorities of servers that a user trusts beside Mozilla's list, as a company's own: PEM, written by the user.
 * @returns null without a file that is the user's alone to write
 */
export function readServerAuthorities(account: Account): string | null {
  const path = join(userConfigDirectory(account), 'server-authorities.pem');
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.uid !== process.getuid?.() || (stats.mode & WRITABLE_BY_OTHERS) !== 0) return null;
  return readIfPresent(path);
}
