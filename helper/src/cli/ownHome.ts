import { statSync } from 'node:fs';
import { FirstscreenError, type ErrorCode } from '../../../shared/src/errors.ts';

/**
 * With a sudo that keeps the home directory, as that of macOS, the user's files would be root's: his browsers and his
 * helper could not use them.
 *
 * @param what is for one user, as a sentence begins
 * @throws FirstscreenError when the home directory belongs to another
 */
export function refuseForAnother(home: string, code: ErrorCode, what: string): void {
  const stats = statSync(home, { throwIfNoEntry: false });
  if (stats === undefined || stats.uid === process.getuid?.()) return;
  throw new FirstscreenError(code, `${what} is for the user who makes it, but the home directory ${home} belongs to another.`, 'Run the command as that user, without sudo.');
}
