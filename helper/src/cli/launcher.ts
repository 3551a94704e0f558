import { EXTENSION_OPTION } from '../host/caller.ts';
import { shellWord } from './shellWord.ts';

/**
 * V8 lets its young generation grow to what suits a server; a helper that passes bodies on leaves it full of dead
 * chunks. With 1 MiB a page load spends 70 ms on collecting them. Only the command line sets it early enough; an
 * executable has it inside.
 */
export const NODE_OPTIONS = ['--max-semi-space-size=8'] as const;

/**
 * The script that browsers start. The shell stays: Chromium and Firefox kill the process that they have started 2 to 3 s
 * after they close its pipes, and the helper may have answers under way then (docs/adr/0032). The script names what it
 * runs by its full path, because a browser started from a desktop has another PATH than a terminal, and drops the
 * variables by which a developer's session would change what Node does.
 *
 * @param nodePath the Node that runs the program; null when that has Node inside
 */
export function launcherText(nodePath: string | null, program: string, extensionIds: readonly string[]): string {
  const command = shellCommand(nodePath, program);
  const options = extensionIds.map((id) => `${EXTENSION_OPTION}${id} `).join('');
  return [
    '#!/bin/sh',
    '# Browsers start this; "firstscreen-helper status" says what has put it here.',
    'unset NODE_OPTIONS NODE_PATH',
    // the standard input of what runs in the background is empty unless it is given by another number (POSIX, 2.9.3.1)
    'exec 3<&0',
    `${command} host ${options}"$@" <&3 3<&- &`,
    'wait $!',
    '',
  ].join('\n');
}

/** The script that people run. @param nodePath as for `launcherText` */
export function commandText(nodePath: string | null, program: string): string {
  return ['#!/bin/sh', '# "firstscreen-helper install" has put this here, and "firstscreen-helper uninstall" takes it away.', `exec ${shellCommand(nodePath, program)} "$@"`, ''].join('\n');
}

function shellCommand(nodePath: string | null, program: string): string {
  return nodePath === null ? shellWord(program) : `${shellWord(nodePath)} ${NODE_OPTIONS.join(' ')} ${shellWord(program)}`;
}
