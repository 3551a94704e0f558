import { FirstscreenError } from '../../../shared/src/errors.ts';

/** What an installed launcher will run. */
export interface Program {
  /** The Node that runs it, by its full path. */
  readonly nodePath: string;
  readonly nodeVersion: string;
  /** The helper's own entry: a bundle, or the sources. */
  readonly entry: string;
}

/** The oldest Node that the helper is tested with. */
export const MIN_NODE_MAJOR = 24;

/** Sources are run where they are (a developer's installation follows every edit); a bundle is one file and is copied. */
export function isSource(program: Program): boolean {
  return program.entry.endsWith('.ts');
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
