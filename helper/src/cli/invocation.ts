import { join } from 'node:path';
import { isExecutable } from '../files.ts';
import { programDirectories } from '../userDirectories.ts';
import { COMMANDS } from './commandTable.ts';
import { shellWord } from './shellWord.ts';
import type { Machine } from './machine.ts';
import type { Program } from './program.ts';

/** What people type. */
export const COMMAND_NAME = 'firstscreen-helper';

/** Where `sudo` looks, whatever the user's PATH says (sudoers, `secure_path`, as systems ship it). */
const ROOT_PATH = ['usr/local/sbin', 'usr/local/bin', 'usr/sbin', 'usr/bin', 'sbin', 'bin'];

/** What runs the helper from a terminal of this machine. */
export interface Invocation {
  readonly asUser: string;
  readonly asRoot: string;
}

/** By its name where the shell finds that, else by the full path of what runs now. */
export function invocationOf({ nodePath, entry }: Program, machine: Pick<Machine, 'env' | 'root'>): Invocation {
  const byPath = nodePath === null ? word(entry) : `${word(nodePath)} ${word(entry)}`;
  const nameIn = (directories: readonly string[]): string => (directories.some((directory) => isExecutable(join(directory, COMMAND_NAME))) ? COMMAND_NAME : byPath);
  return { asUser: nameIn(programDirectories(machine.env)), asRoot: nameIn(ROOT_PATH.map((directory) => join(machine.root, directory))) };
}

const NAMED = new RegExp(`(sudo )?(?<![\\w/.-])${COMMAND_NAME} (?=(?:${COMMANDS.join('|')}|--help)\\b)`, 'g');

/** A text that names commands of ours, with what runs them here. */
export function withInvocation(text: string, { asUser, asRoot }: Invocation): string {
  return text.replaceAll(NAMED, (_, sudo?: string) => (sudo === undefined ? `${asUser} ` : `${sudo}${asRoot} `));
}

/** As people write it: in quotes only where a shell needs them. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellWord(text);
}
