import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** Whose files: what decides where a user's directories are. */
export interface Account {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The user's home directory; empty where the system knows none, or HOME says none. */
export function homeDirectory(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** By the names of their variables: where they are in a home directory that sets none of them. */
const XDG_DEFAULTS = { CONFIG: '.config', DATA: '.local/share', STATE: '.local/state', CACHE: '.cache' } as const;

/** A user's directory (XDG Base Directory Specification): a variable that is empty or relative does not count. */
export function xdgDirectory(name: keyof typeof XDG_DEFAULTS, { home, env }: Pick<Account, 'home' | 'env'>): string {
  const set = env[`XDG_${name}_HOME`] ?? '';
  return isAbsolute(set) ? set : join(home, XDG_DEFAULTS[name]);
}

/** Where Firstscreen keeps a user's files of one kind; on macOS its own folder of Application Support, or of Caches. */
export function ownDirectory(name: keyof typeof XDG_DEFAULTS, account: Account): string {
  if (account.platform !== 'darwin') return join(xdgDirectory(name, account), 'firstscreen');
  return join(account.home, 'Library', name === 'CACHE' ? 'Caches' : 'Application Support', 'Firstscreen');
}

/** Where a user's programs are looked for (PATH); of relative directories, and empty ones, nobody can say which they are. */
export function programDirectories({ PATH = '' }: Account['env']): string[] {
  return PATH.split(delimiter).filter((directory) => isAbsolute(directory));
}
