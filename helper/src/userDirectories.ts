import { delimiter, join } from 'node:path';

/** Whose files: what decides where a user's directories are. */
export interface Account {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Where Firstscreen keeps a user's data (XDG Base Directory Specification; on macOS its own folder of Application Support). */
export function userDataDirectory({ platform, home, env }: Account): string {
  if (platform === 'darwin') return supportDirectory(home);
  return join(env['XDG_DATA_HOME'] ?? join(home, '.local/share'), 'firstscreen');
}

/** Where a user keeps what he has written for Firstscreen. */
export function userConfigDirectory({ platform, home, env }: Account): string {
  if (platform === 'darwin') return supportDirectory(home);
  return join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'firstscreen');
}

/** Where a user's programs are looked for (PATH). */
export function programDirectories({ PATH = '' }: Account['env']): string[] {
  return PATH.split(delimiter).filter((directory) => directory !== '');
}

function supportDirectory(home: string): string {
  return join(home, 'Library/Application Support/Firstscreen');
}
