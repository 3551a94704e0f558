import { closeSync, existsSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { isFile } from '../../files.ts';
import { reasonOf } from '../../../../shared/src/node/reasonOf.ts';
import { HELPER_VERSION } from '../../version.ts';
import type { Machine } from '../machine.ts';
import { isSource, type Program } from '../program.ts';
import { elfArchitecture, type FarArchitecture } from './farMachine.ts';

/** What is sent to the far machine. */
export type RelayProgram =
  /** The relay with the libraries by which it codes pictures anew (scripts/packages/buildPackages.ts). */
  | { readonly isArchive: true; readonly path: string }
  /** An executable, and what lies in node_modules beside it of these libraries: nothing where one is missing. */
  | { readonly isArchive: false; readonly path: string; readonly libraries: readonly string[] };

/** As much of a file as says what it is for. */
const HEAD_BYTES = 4096;
const GZIP = Buffer.from([0x1f, 0x8b]);
/** In an archive (tar) a file's content comes behind so much about it, and the executable is the first file. */
const TAR_HEADER_BYTES = 512;

/** Where the Debian package has it, with the libraries beside it. */
const PACKAGE_PROGRAM = 'usr/lib/firstscreen-relay/firstscreen-relay';

/** As `npm run package` calls it. */
export function relayArchiveName(architecture: FarArchitecture): string {
  return `firstscreen-relay-${HELPER_VERSION}-linux-${architecture}.tar.gz`;
}

/**
 * The relay's program for the far machine: the file that is named, else the archive beside the helper's own program, else the executable of the relay's
 * package on this machine.
 *
 * @throws FirstscreenError E_RELAY_PROGRAM when there is none, or one for another machine
 */
export function findRelayProgram(architecture: FarArchitecture, named: string | null, program: Program, machine: Machine): RelayProgram {
  const name = relayArchiveName(architecture);
  if (named !== null) {
    const found = contentOf(resolve(named));
    if (found?.architecture === architecture) return found.program;
    throw missing(`${resolve(named)} has no executable for it${found === null ? '' : ` (it is for ${found.architecture})`}`, name);
  }
  const beside = isSource(program) ? join(dirname(program.entry), '../../out') : dirname(program.entry);
  const places = [join(beside, name), join(machine.root, PACKAGE_PROGRAM)];
  const found = places.filter(isFile).map(contentOf).find((content) => content?.architecture === architecture);
  if (found !== undefined && found !== null) return found.program;
  throw missing(`there is neither ${places.join(' nor ')}`, name);
}

/** @returns null for what is neither an executable nor an archive that begins with one. @throws FirstscreenError E_RELAY_PROGRAM for a file that can not be read */
function contentOf(path: string): { readonly architecture: FarArchitecture; readonly program: RelayProgram } | null {
  const head = headOf(path);
  const isArchive = head.subarray(0, GZIP.length).equals(GZIP);
  const architecture = elfArchitecture(isArchive ? firstFileIn(head) : head);
  if (architecture === null) return null;
  return { architecture, program: isArchive ? { isArchive, path } : { isArchive, path, libraries: librariesBeside(path, architecture) } };
}

function headOf(path: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      return head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new FirstscreenError('E_RELAY_PROGRAM', `The relay's program ${path} can not be read (${reasonOf(cause)}).`, 'Name one that is there: --program FILE.', { cause });
  }
}

/** How the first file of an archive begins. */
function firstFileIn(head: Buffer): Buffer {
  try {
    // as far as it goes: the archive is cut off here
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(TAR_HEADER_BYTES);
  } catch {
    return Buffer.alloc(0);
  }
}

/** Of the executable's directory, and these alone, whatever else is installed there. */
function librariesBeside(path: string, architecture: FarArchitecture): string[] {
  const isThere = (name: string): boolean => existsSync(join(relayDirectory(path), name));
  const needed = ['sharp', '@img/colour', `@img/sharp-linux-${architecture}`, `@img/sharp-libvips-linux-${architecture}`, 'detect-libc'].map((name) => `node_modules/${name}`);
  // or in the directory of sharp itself, as npm finds room for it
  return needed.every(isThere) ? [...needed, 'node_modules/semver'].filter(isThere) : [];
}

/** Of an executable: where its libraries lie, also where the name is that of a link to it. */
export function relayDirectory(path: string): string {
  return dirname(realpathSync(path));
}

function missing(why: string, name: string): FirstscreenError {
  return new FirstscreenError('E_RELAY_PROGRAM', `The relay's program for that machine is not here: ${why}.`, `Name it with --program FILE: ${name} of the release, or of "npm run package"; or install the package firstscreen-relay there, then run the command again.`);
}
