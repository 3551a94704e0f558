import { FirstscreenError } from '../../../shared/src/errors.ts';
import { COMMANDS, OPTIONS } from './commandTable.ts';
import { parseOptions } from './options.ts';

/** A command line is one that is known, or is refused with a code and the next step. @param bytes words with NUL between them, as in /proc/PID/cmdline */
function runOptions(bytes: Uint8Array): void {
  try {
    const { command, browsers, scope, policy } = parseOptions(Buffer.from(bytes).toString().split('\0'));
    if (![...COMMANDS, 'help', 'version'].includes(command)) throw new Error('a command that is none');
    if (policy && scope !== 'system') throw new Error('a policy for one user');
    if (new Set(browsers).size !== browsers.length) throw new Error('a browser twice');
  } catch (error) {
    if (!(error instanceof FirstscreenError) || error.code !== 'E_OPTION') throw error;
  }
}

const NAMES = [...Object.keys(OPTIONS), 'no-json', '__proto__'];

export const targets = [
  { name: 'options', pieces: ['\0', '=', '-', '--', '-hV', ...COMMANDS, ...NAMES.map((name) => `--${name}\0`), ...NAMES.map((name) => `--${name}=`), 'all', 'chrome', 'firefox', 'toString', 'a.test', 'a'.repeat(32)], run: runOptions },
];
