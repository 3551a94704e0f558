import { t } from './texts.ts';

/** The helper's command, which its package puts into PATH, and `install` without root where the shell looks into `~/.local/bin` (docs/helper.md). */
const COMMAND = 'firstscreen-helper';
/** Where `install` without root puts the program, whatever the shell. */
const PROGRAM = '~/.local/share/firstscreen/firstscreen-helper.bin';

/** What the helper can be told in a terminal from a page of the extension. */
type HelperTask = 'doctor' | 'trust';

export function helperCommand(task: HelperTask): string {
  return `${COMMAND} ${task}`;
}

/** The same where the shell does not find the command. */
export function helperCommandByPath(task: HelperTask): string {
  return `${PROGRAM} ${task}`;
}

/** To stand after a text, or a command, that names the helper's command; empty after others. */
export function helperPathNote(text: string | null): string {
  return text?.includes(COMMAND) === true ? t('helperByPath', PROGRAM) : '';
}

export function withHelperPath(text: string): string {
  const note = helperPathNote(text);
  return note === '' ? text : `${text} ${note}`;
}
