import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Options } from './options.ts';

/** The sides of a conversation with a person. */
export interface Conversation {
  readonly print: (text: string) => void;
  /** Where a person types; absent or null without a terminal. */
  readonly terminal?: Readable | null;
}

/**
 * Says what is about to be done and waits for a yes.
 *
 * @returns whether it may be done: with `--yes` at once, else when the next line is "yes"; end-of-file is a no
 * @throws FirstscreenError E_OPTION when there is nobody to ask
 */
export async function isConfirmed(meaning: string, { command, yes, json }: Pick<Options, 'command' | 'yes' | 'json'>, { print, terminal = null }: Conversation): Promise<boolean> {
  if (!yes && (terminal === null || json)) {
    throw new FirstscreenError('E_OPTION', `The command line is wrong: ${command} asks before it does anything, and there is ${json ? 'no asking in JSON' : 'no terminal to ask on'}.`, 'Read what "--dry-run" says, then add --yes.');
  }
  if (!json) print(meaning);
  if (yes || terminal === null) return true;
  print('\nType "yes" to go on:');
  return (await nextLine(terminal)).trim().toLowerCase() === 'yes';
}

/** The next line that is typed; nothing at end-of-file. */
async function nextLine(input: Readable): Promise<string> {
  const lines = createInterface({ input });
  const { value } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  return value ?? '';
}
