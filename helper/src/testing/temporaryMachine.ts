import { lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import type { Machine, Platform } from '../cli/machine.ts';
import type { Program } from '../cli/program.ts';
import { HELPER_ENTRY } from './startHelper.ts';

/** A machine in a temporary directory of the test: home and system directories under it, nothing on the path. */
export interface TemporaryMachine extends Machine {
  /** A bundle as webpack makes it: one file. */
  readonly bundled: Program;
  /** The sources in place, which really run. */
  readonly source: Program;
  /** As packaging makes it, with Node inside. */
  readonly executable: Program;
  /** Every path with its permissions and content, to compare before and after. */
  snapshot(): Record<string, string>;
}

export function temporaryMachine(platform: Platform): TemporaryMachine {
  const base = temporaryDirectory("firstscreen o'test-");
  const home = join(base, 'home/user');
  mkdirSync(home, { recursive: true });
  const bundle = join(base, 'bundle.mjs');
  writeFileSync(bundle, 'export {};\n');
  const executable = join(base, 'firstscreen-helper-linux-x64');
  writeFileSync(executable, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff]));
  const node = { nodePath: process.execPath, nodeVersion: process.version };
  return {
    platform,
    home,
    env: {},
    root: base,
    isRoot: true,
    bundled: { ...node, entry: bundle },
    source: { ...node, entry: HELPER_ENTRY },
    executable: { ...node, nodePath: null, entry: executable },
    snapshot: () => Object.fromEntries(entriesUnder(base)),
  };
}

function entriesUnder(directory: string): [string, string][] {
  return readdirSync(directory).flatMap((name): [string, string][] => {
    const path = join(directory, name);
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o777).toString(8);
    return stats.isDirectory() ? [[path, mode], ...entriesUnder(path)] : [[path, `${mode} ${readFileSync(path, 'utf8')}`]];
  });
}
