import { t } from './texts.ts';

/** The helper's command, which its package puts into PATH, and `install` without root where the shell looks into `~/.local/bin` (docs/helper.md). */
const COMMAND = 'firstscreen-helper';
/** Where `install` without root puts the program, whatever the shell: on macOS, where there is no executable, what Node runs. */
const PROGRAM = '~/.local/share/firstscreen/firstscreen-helper.bin';
const PROGRAM_ON_MAC = 'node ~/Library/Application\\ Support/Firstscreen/firstscreen-helper.mjs';

/** What the helper can be told in a terminal from a page of the extension. */
type HelperTask = 'doctor' | 'trust';

export function helperCommand(task: HelperTask): string {
  return `${COMMAND} ${task}`;
}

/** The same where the shell does not find the command; empty for what is none of the helper's. */
export function commandByPath(command: string | null): string {
  return command?.startsWith(`${COMMAND} `) === true ? command.replace(COMMAND, program()) : '';
}

/** Says after a text that names the helper's command where the program is. */
export function withHelperPath(text: string): string {
  return text.includes(COMMAND) ? `${text} ${t('helperByPath', program())}` : text;
}

function program(): string {
  return navigator.userAgent.includes('Mac OS X') ? PROGRAM_ON_MAC : PROGRAM;
}
