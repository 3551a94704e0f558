import { join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { readIfPresent, reasonOf } from '../files.ts';
import { userConfigDirectory, type Account } from '../userDirectories.ts';
import { ExcludedHosts, parseNeverIntercept } from './excludedHosts.ts';

/** Where a user lists what the helper must not look into; `trust` names it, nothing of ours writes it. */
export function neverInterceptPath(account: Account): string {
  return join(userConfigDirectory(account), 'never-intercept.txt');
}

/**
 * Our own list and the user's. There need not be a file.
 *
 * @returns with a warning (E_EXCLUDED_HOSTS) for each line that is not used
 * @throws FirstscreenError E_EXCLUDED_HOSTS when there is a list that can not be read: then nothing may be intercepted, since nobody knows what it forbids
 */
export function readExcludedHosts(account: Account): { readonly excluded: ExcludedHosts; readonly warnings: readonly FirstscreenError[] } {
  const path = neverInterceptPath(account);
  const { patterns, warnings } = parseNeverIntercept(readList(path), path);
  return { excluded: new ExcludedHosts(patterns), warnings };
}

function readList(path: string): string {
  try {
    return readIfPresent(path) ?? '';
  } catch (cause) {
    throw new FirstscreenError('E_EXCLUDED_HOSTS', `The list of hosts that are never intercepted, ${path}, can not be read (${reasonOf(cause)}).`, 'Make it a file that you may read, or remove it; until then nothing is intercepted.', { cause });
  }
}
