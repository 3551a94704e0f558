import { isSea } from 'node:sea';

/** The file that this process runs: the executable, or what Node was given. */
export function ownProgram(): string {
  return isSea() ? process.execPath : (process.argv[1] ?? process.execPath);
}

/** The command line of another process of this program. */
export function ownCommand(...words: readonly string[]): string[] {
  return isSea() ? [process.execPath, ...words] : [process.execPath, ...process.execArgv, ownProgram(), ...words];
}
