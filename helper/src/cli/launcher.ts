import { EXTENSION_OPTION } from '../host/caller.ts';

/**
 * V8's switches, which only the command line sets early enough. Its young generation grows to what suits a server, and a
 * helper that passes bodies on would leave it full of dead chunks; with 1 MiB a page load spends 70 ms on collecting
 * them. A page is fetched by code that has run little, or not for a while: it is compiled at its first call, and kept,
 * which takes a quarter off the helper's processor time for a load (0.60 to 0.45 s on an intercepted page).
 */
const NODE_OPTIONS = '--max-semi-space-size=8 --no-flush-bytecode --always-sparkplug --no-lazy-feedback-allocation';

/**
 * The script that browsers start. The shell stays: Chromium and Firefox kill the process that they have started 2 to 3 s
 * after they close its pipes, and the helper may have answers under way then (docs/adr/0032). The script names Node by
 * its full path, because a browser started from a desktop has another PATH than a terminal, and drops the variables by
 * which a developer's session would change what Node does.
 */
export function launcherText(nodePath: string, program: string, extensionIds: readonly string[]): string {
  const options = extensionIds.map((id) => `${EXTENSION_OPTION}${id} `).join('');
  return [
    '#!/bin/sh',
    '# Written by "firstscreen-helper install"; "firstscreen-helper uninstall" removes it.',
    'unset NODE_OPTIONS NODE_PATH',
    // the standard input of what runs in the background is empty unless it is given by another number (POSIX, 2.9.3.1)
    'exec 3<&0',
    `${shellWord(nodePath)} ${NODE_OPTIONS} ${shellWord(program)} host ${options}"$@" <&3 3<&- &`,
    'wait $!',
    '',
  ].join('\n');
}

/** One word for a POSIX shell, whatever is in it. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
