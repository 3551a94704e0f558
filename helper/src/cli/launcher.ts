import { EXTENSION_OPTION } from '../host/caller.ts';

/**
 * The script that browsers start. It names Node by its full path, because a browser started from a desktop has another PATH than a terminal, and drops the
 * variables by which a developer's session would change what Node does.
 */
export function launcherText(nodePath: string, program: string, extensionIds: readonly string[]): string {
  const options = extensionIds.map((id) => `${EXTENSION_OPTION}${id} `).join('');
  return [
    '#!/bin/sh',
    '# Written by "firstscreen-helper install"; "firstscreen-helper uninstall" removes it.',
    'unset NODE_OPTIONS NODE_PATH',
    `exec ${shellWord(nodePath)} ${shellWord(program)} host ${options}"$@"`,
    '',
  ].join('\n');
}

/** One word for a POSIX shell, whatever is in it. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
