import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { isFile, reasonOf } from '../../files.ts';
import { HELPER_VERSION } from '../../version.ts';
import type { Machine } from '../machine.ts';
import { isSource, type Program } from '../program.ts';
import { elfArchitecture, type FarArchitecture } from './farMachine.ts';

/** As much of an executable as says what it is for. */
const HEAD_BYTES = 20;

/** Where the Debian package has it. */
const PACKAGE_PROGRAM = 'usr/lib/firstscreen-relay/firstscreen-relay';

/** As `npm run package` calls it. */
export function relayProgramName(architecture: FarArchitecture): string {
  return `firstscreen-relay-${HELPER_VERSION}-linux-${architecture}`;
}

/**
 * The relay's executable for the far machine: the one that is named, else one beside the helper's own program, else that of the relay's package on
 * this machine.
 *
 * @throws FirstscreenError E_RELAY_PROGRAM when there is none, or one for another machine
 */
export function findRelayProgram(architecture: FarArchitecture, named: string | null, program: Program, machine: Machine): string {
  const name = relayProgramName(architecture);
  if (named !== null) {
    const found = architectureOfFile(resolve(named));
    if (found === architecture) return resolve(named);
    throw missing(`${resolve(named)} is no executable for it${found === null ? '' : ` (it is for ${found})`}`, name);
  }
  const beside = isSource(program) ? join(dirname(program.entry), '../../out') : dirname(program.entry);
  const places = [join(beside, name), join(machine.root, PACKAGE_PROGRAM)];
  const found = places.find((path) => isFile(path) && architectureOfFile(path) === architecture);
  if (found !== undefined) return found;
  throw missing(`there is neither ${places.join(' nor ')}`, name);
}

/** @throws FirstscreenError E_RELAY_PROGRAM for a file that can not be read */
function architectureOfFile(path: string): FarArchitecture | null {
  const head = new Uint8Array(HEAD_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      return elfArchitecture(head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0)));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_PROGRAM', `The relay's program ${path} can not be read (${reasonOf(cause)}).`, 'Name one that is there: --program FILE.', { cause });
  }
}

function missing(why: string, name: string): FirstscreenError {
  return new FirstscreenError('E_RELAY_PROGRAM', `The relay's program for that machine is not here: ${why}.`, `Name it with --program FILE: ${name} of the release, or of "npm run package"; or install the package firstscreen-relay there, then run the command again.`);
}
