import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { FirstscreenError, type ErrorCode } from '../../../shared/src/errors.ts';
import type { Machine } from './machine.ts';

/**
 * With sudo what is made for one user would be root's: in root's home directory, where no browser of the user looks, or
 * in his own, as that of macOS keeps it, where his browsers and his helper could not use it.
 *
 * @param what is for one user, as a sentence begins
 * @throws FirstscreenError when the home directory belongs to another, or sudo has made the user root
 */
export function refuseForAnother({ home, env, isRoot }: Machine, code: ErrorCode, what: string): void {
  const refused = (why: string): FirstscreenError => new FirstscreenError(code, `${what} is for the user who makes it, but ${why}.`, 'Run the command as that user, without sudo.');
  const { SUDO_UID: caller = '0' } = env;
  if (isRoot && caller !== '0' && home === userInfo().homedir) throw refused('sudo has made that root');
  const stats = statSync(home, { throwIfNoEntry: false });
  if (stats !== undefined && stats.uid !== process.getuid?.()) throw refused(`the home directory ${home} belongs to another`);
}
