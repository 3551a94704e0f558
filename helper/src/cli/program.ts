import { FirstscreenError } from '../../../shared/src/errors.ts';
import { layoutOf, type Layout } from './layout.ts';
import type { Machine } from './machine.ts';

/** What an installed launcher will run. */
export interface Program {
  /** The Node that runs it, by its full path; null for an executable that has Node inside. */
  readonly nodePath: string | null;
  readonly nodeVersion: string;
  /** The helper's own entry: a bundle, the sources, or the executable. */
  readonly entry: string;
}

/** The oldest Node that the helper is tested with. */
export const MIN_NODE_MAJOR = 24;

/** A developer's helper, whose launcher runs the working tree. */
export function isSource(program: Program): boolean {
  return program.entry.endsWith('.ts');
}

/** The helper of the Debian package, which the package manager keeps up to date. */
export function isOfPackage(program: Program, machine: Machine): boolean {
  return program.entry === layoutOf('package', machine).executable;
}

/** Where `install` copies a program to: null for one that is run where it is, so that what changes it changes the installation. */
export function copyOf(program: Program, layout: Layout, machine: Machine): string | null {
  if (isSource(program) || isOfPackage(program, machine)) return null;
  return program.nodePath === null ? layout.executable : layout.bundle;
}

/** @param version as `process.version` and `node --version` give it */
export function isNodeRecentEnough(version: string): boolean {
  return Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0) >= MIN_NODE_MAJOR;
}

/** @throws FirstscreenError E_PLATFORM when the Node that runs the installer would be too old to run the helper */
export function checkNode(program: Program): void {
  if (isNodeRecentEnough(program.nodeVersion)) return;
  throw new FirstscreenError('E_PLATFORM', `The helper needs Node ${MIN_NODE_MAJOR} or later; this is ${program.nodeVersion}.`, `Run the same command with a newer Node (npm install node@${MIN_NODE_MAJOR} brings one).`);
}
