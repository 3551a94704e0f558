import { FirstscreenError } from '../../../shared/src/errors.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';

/**
 * What the system refused about a file, told as a person can mend it.
 *
 * @param what was not to be done, after "could not"; by default the use of the file that the system names
 * @returns null for an error that is no refusal of the system's, but a defect of ours
 */
export function systemFault(cause: unknown, what?: string): FirstscreenError | null {
  if (!(cause instanceof Error) || !('syscall' in cause)) return null;
  const reason = reasonOf(cause);
  const path = 'path' in cause ? String(cause.path) : 'a file';
  return new FirstscreenError('E_INSTALL', `Could not ${what ?? `use ${path}`} (${reason}).`, remedyFor(reason), { cause });
}

function remedyFor(reason: string): string {
  if (reason === 'EACCES' || reason === 'EPERM') return 'Check who owns it and its directory: what is for all users of this machine needs sudo, and all else has to be yours. Then run the command again.';
  return 'Check that nothing else is in its place, and that the disk has room and can be written to. Then run the command again.';
}
