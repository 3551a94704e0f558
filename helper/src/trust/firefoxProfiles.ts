import { isAbsolute, join, resolve } from 'node:path';
import { readOrNothing } from '../../../shared/src/node/readOrNothing.ts';
import { xdgDirectory, type Account } from '../userDirectories.ts';

/** Where Firefox keeps profiles.ini: on Linux its own place, the XDG one (bugzilla 259356), and those of Snap and Flatpak, which have homes of their own. */
function rootsOf(account: Account): string[] {
  const { home, platform } = account;
  if (platform === 'darwin') return [join(home, 'Library/Application Support/Firefox')];
  const flatpak = join(home, '.var/app/org.mozilla.firefox');
  return [
    join(home, '.mozilla/firefox'),
    join(xdgDirectory('CONFIG', account), 'mozilla/firefox'),
    join(home, 'snap/firefox/common/.mozilla/firefox'),
    join(flatpak, '.mozilla/firefox'),
    join(flatpak, 'config/mozilla/firefox'),
  ];
}

/** Every directory that any profiles.ini names, whether it is there or not. A list that can not be read names none: Firefox would not start with it either. */
export function firefoxProfiles(account: Account): string[] {
  return rootsOf(account).flatMap((root) => parseProfilesIni(readOrNothing(join(root, 'profiles.ini')), root));
}

/**
 * The directories of the sections `[ProfileN]`: `Path`, relative to the list itself unless it is absolute (which is what `IsRelative` says). Whatever else is in the file is passed over.
 *
 * @param root the directory of the list
 */
export function parseProfilesIni(text: string, root: string): string[] {
  const paths: string[] = [];
  let isProfile = false;
  for (const line of text.split(/\r?\n/)) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) isProfile = /^Profile\d+$/.test(section);
    const path = isProfile ? /^Path=(.+)$/.exec(line)?.[1] : undefined;
    // a path with a zero byte would make the next look at it throw
    if (path !== undefined && !path.includes('\0')) paths.push(isAbsolute(path) ? path : resolve(root, path));
  }
  return paths;
}
